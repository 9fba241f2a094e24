/**
 * How the server is started: on which Python, and whose copy of it.
 *
 * Owns `Launch`. Invariant: the working directory is the extension's folder, which holds no Python module: `-m` looks
 * there first, and in a folder of the workspace it would find what stands in that.
 */
import { execFile } from 'node:child_process';
import * as path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { findPython, Python } from './python';

/** All that is needed to run `ts-lsp` with some arguments. */
export interface Launch {
    readonly python: Python;
    readonly isBundled: boolean;
    readonly folder: string;
    readonly environment: NodeJS.ProcessEnv;
    /** What people should know about the choice. */
    readonly notice?: string;
}

export async function chooseLaunch(context: vscode.ExtensionContext): Promise<Launch> {
    const folder = context.extensionPath;
    const python = await findPython(folder);
    const strategy = vscode.workspace.getConfiguration('ts-lsp').get<string>('importStrategy', 'useBundled');
    const wantsInstalled = strategy === 'fromEnvironment';
    if (wantsInstalled && python.server !== null) {
        return { python, isBundled: false, folder, environment: clean() };
    }
    const environment = { ...clean(), PYTHONPATH: joined(path.join(folder, 'bundled'), process.env.PYTHONPATH) };
    const notice = wantsInstalled
        ? `There is no ts_lsp in the environment of ${python.path}: the one that comes with the extension is used.`
        : undefined;
    return { python, isBundled: true, folder, environment, notice };
}

export function commandLine(...rest: string[]): string[] {
    return ['-m', 'ts_lsp', ...rest];
}

/** What a command of `ts-lsp` prints. */
export async function output(launch: Launch, ...rest: string[]): Promise<string> {
    const options = { cwd: launch.folder, env: launch.environment, windowsHide: true, maxBuffer: 1 << 24 };
    return (await promisify(execFile)(launch.python.path, commandLine(...rest), options)).stdout;
}

/** The surroundings of the editor, with texts in UTF-8 on every system. */
function clean(): NodeJS.ProcessEnv {
    return { ...process.env, PYTHONUTF8: '1' };
}

function joined(...folders: (string | undefined)[]): string {
    return folders.filter(Boolean).join(path.delimiter);
}
