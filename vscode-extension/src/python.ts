/**
 * Which Python runs the server.
 *
 * Owns the search and the reasons why none was found. Invariant: in a workspace that is not trusted no Python is
 * started that the workspace chose, and none is started with a folder of the workspace as its working directory.
 */
import { execFile } from 'node:child_process';
import * as os from 'node:os';
import { promisify } from 'node:util';
import { PythonExtension } from '@vscode/python-extension';
import * as vscode from 'vscode';

export const OLDEST = [3, 10] as const;
const ON_PATH = process.platform === 'win32' ? ['python', 'python3'] : ['python3', 'python'];
const PATIENCE = 30_000;
const PROGRAM = `
import json, sys
try:
    from ts_lsp import __version__ as server
except ImportError:
    server = None
print(json.dumps({"path": sys.executable, "version": list(sys.version_info[:3]), "server": server}))
`;

/** A Python that was started once. `server` is the version of the `ts_lsp` that is installed there. */
export interface Python {
    readonly path: string;
    readonly version: readonly number[];
    readonly server: string | null;
}

/** Why no server can be started; the message is for people. */
export class NoPython extends Error {}

/** A Python for the server, started from `folder`, which is no folder of the workspace. */
export async function findPython(folder: string): Promise<Python> {
    const first = vscode.workspace.workspaceFolders?.[0];
    const chosen = interpreterSetting(first);
    if (chosen) {
        return usable(await asked(chosen, folder), `The setting \`ts-lsp.interpreter\` names ${chosen}`, chosen);
    }
    const active = await activeInterpreter(first);
    const found: Python[] = [];
    for (const candidate of active ? [active, ...ON_PATH] : ON_PATH) {
        const python = await asked(candidate, folder);
        if (python && isRecent(python)) {
            return python;
        }
        if (python) {
            found.push(python);
        }
    }
    const oldest = OLDEST.join('.');
    const seen = found.map((each) => `${each.path} is Python ${each.version.join('.')}`).join(', ');
    throw new NoPython(
        seen
            ? `TorchScript is not checked: ts-lsp needs Python ${oldest} or newer, and ${seen}.`
            : `TorchScript is not checked: ts-lsp needs Python ${oldest} or newer, and there is no \`python3\` or \`python\` on the PATH.`,
    );
}

/**
 * The interpreter that a person chose for a folder, here or in the Python extension. Undefined where nobody chose one:
 * the server looks for the folder's environment itself then.
 */
export async function chosenInterpreter(folder: vscode.WorkspaceFolder | undefined): Promise<string | undefined> {
    return interpreterSetting(folder) || (await activeInterpreter(folder));
}

/** Calls back when another interpreter is chosen in the Python extension, if that is there. */
export async function onInterpreterChange(changed: () => void): Promise<vscode.Disposable | undefined> {
    const api = await pythonExtension();
    return api?.environments.onDidChangeActiveEnvironmentPath(changed);
}

function interpreterSetting(folder: vscode.WorkspaceFolder | undefined): string {
    const written = vscode.workspace.getConfiguration('ts-lsp', folder).get<string>('interpreter', '').trim();
    return written
        .replace(/\$\{workspaceFolder\}/g, folder?.uri.fsPath ?? '')
        .replace(/^~(?=$|[\\/])/, os.homedir());
}

async function activeInterpreter(folder: vscode.WorkspaceFolder | undefined): Promise<string | undefined> {
    const api = vscode.workspace.isTrusted ? await pythonExtension() : undefined;
    if (!api) {
        return undefined;
    }
    const environment = await api.environments.resolveEnvironment(
        api.environments.getActiveEnvironmentPath(folder?.uri),
    );
    return environment?.executable.uri?.fsPath;
}

async function pythonExtension(): Promise<PythonExtension | undefined> {
    if (!vscode.extensions.getExtension('ms-python.python')) {
        return undefined;
    }
    try {
        return await PythonExtension.api();
    } catch {
        return undefined; // it is there, but does not work
    }
}

async function asked(path: string, folder: string): Promise<Python | undefined> {
    try {
        const options = { cwd: folder, timeout: PATIENCE, windowsHide: true };
        const { stdout } = await promisify(execFile)(path, ['-c', PROGRAM], options);
        const answer = JSON.parse(stdout) as Python;
        return { ...answer, path: answer.path || path };
    } catch {
        return undefined;
    }
}

function usable(python: Python | undefined, origin: string, path: string): Python {
    if (!python) {
        throw new NoPython(`${origin}, which could not be started as a Python.`);
    }
    if (!isRecent(python)) {
        const version = python.version.join('.');
        throw new NoPython(`${origin}, which is Python ${version}: ts-lsp needs ${OLDEST.join('.')} or newer.`);
    }
    return { ...python, path };
}

function isRecent({ version: [major = 0, minor = 0] }: Python): boolean {
    return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}
