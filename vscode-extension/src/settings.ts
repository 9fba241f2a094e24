/**
 * The settings that the server is told.
 *
 * Invariant: only what somebody wrote is told, never a default of the editor's: that would win over the project's
 * `pyproject.toml`. What concerns the editor alone is left out.
 */
import * as vscode from 'vscode';
import { chosenInterpreter } from './python';

interface Section {
    readonly title: string;
    readonly properties: Readonly<Record<string, unknown>>;
}

/** The names of the server's own settings, as the manifest has them. */
export function serverSettings(extension: vscode.Extension<unknown>): string[] {
    const manifest = extension.packageJSON as { contributes: { configuration: Section[] } };
    const section = manifest.contributes.configuration.find((each) => each.title === 'Checking');
    return Object.keys(section?.properties ?? {}).map((name) => name.replace('ts-lsp.', ''));
}

/** The table of settings for a folder, or for everything that is in none. */
export async function tableFor(names: readonly string[], scope: vscode.Uri | undefined): Promise<object> {
    const folder = scope ? vscode.workspace.getWorkspaceFolder(scope) : vscode.workspace.workspaceFolders?.[0];
    const configuration = vscode.workspace.getConfiguration('ts-lsp', scope ?? null);
    const written = names.filter((name) => isWritten(configuration, name));
    const table: Record<string, unknown> = Object.fromEntries(written.map((name) => [name, configuration.get(name)]));
    const interpreter = await chosenInterpreter(folder);
    return interpreter && !('python' in table) ? { ...table, python: interpreter } : table;
}

function isWritten(configuration: vscode.WorkspaceConfiguration, name: string): boolean {
    const found = configuration.inspect(name);
    return [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue].some((each) => each !== undefined);
}
