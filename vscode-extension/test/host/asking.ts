/** How tests ask the editor. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Api } from '../../src/extension';

const PATIENCE = 60_000;

/** What `ask` gives once it gives something. */
export async function eventually<Answer>(
    what: string,
    ask: () => Answer | undefined | null | false | Promise<Answer | undefined | null | false>,
): Promise<Answer> {
    const end = Date.now() + PATIENCE;
    for (;;) {
        const answer = await ask();
        if (answer !== undefined && answer !== null && answer !== false) {
            return answer;
        }
        assert.ok(Date.now() < end, `timed out: ${what}`);
        await new Promise((resolve) => setTimeout(resolve, 25));
    }
}

export function extension(): vscode.Extension<Api> {
    const found = vscode.extensions.getExtension<Api>('ts-lsp.ts-lsp');
    assert.ok(found, 'the extension is not installed');
    return found;
}

export function file(name: string): vscode.Uri {
    const [folder, ...rest] = name.split('/');
    const root = vscode.workspace.workspaceFolders?.find((each) => each.name === folder);
    assert.ok(root, `there is no folder ${folder}`);
    return vscode.Uri.joinPath(root.uri, ...rest);
}

export async function open(name: string): Promise<vscode.TextEditor> {
    return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file(name)));
}

/** The codes of what is reported of a file, without hints; in order of their places. */
export function codes(name: string): string[] {
    return problems(name).map((each) => String(typeof each.code === 'object' ? each.code.value : each.code));
}

export function problems(name: string): vscode.Diagnostic[] {
    return vscode.languages
        .getDiagnostics(file(name))
        .filter((each) => each.severity !== vscode.DiagnosticSeverity.Hint)
        .sort((one, other) => one.range.start.compareTo(other.range.start));
}

export async function untilCodes(name: string, expected: string[]): Promise<void> {
    const wanted = JSON.stringify(expected);
    await eventually(`${name} has ${wanted}, not ${JSON.stringify(codes(name))}`, () => {
        return JSON.stringify(codes(name)) === wanted;
    });
}

/** The place of a piece of text in a document: where it begins, or so many characters later. */
export function placeOf(document: vscode.TextDocument, text: string, later = 0): vscode.Position {
    const at = document.getText().indexOf(text);
    assert.notEqual(at, -1, `${text} is not in ${document.fileName}`);
    return document.positionAt(at + later);
}

export async function set(section: string, name: string, value: unknown, folder?: string): Promise<void> {
    const scope = folder ? file(`${folder}/`) : undefined;
    const target = folder ? vscode.ConfigurationTarget.WorkspaceFolder : vscode.ConfigurationTarget.Global;
    await vscode.workspace.getConfiguration(section, scope).update(name, value, target);
}
