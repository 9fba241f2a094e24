/** The commands of the palette. */
import * as vscode from 'vscode';
import { factsPage, Facts } from './facts';
import { output } from './launch';
import { Pages } from './pages';
import { Server } from './server';

interface EntryPoint {
    readonly uri: string;
    readonly position: { readonly line: number; readonly character: number };
    readonly through: string;
    readonly target: string | null;
    readonly verdict: string;
}

const VERDICT_ICONS: Readonly<Record<string, string>> = { ok: '$(pass)', error: '$(error)' };

export function registerCommands(server: Server, pages: Pages): vscode.Disposable[] {
    const commands = {
        restartServer: () => server.restart(),
        showOutput: () => server.log.show(),
        openFacts: () => openFacts(server, pages),
        openEntryPoints: () => openEntryPoints(server),
        verifyWithTorch: () => verify(server),
        openRule: (code?: string) => openRule(server, pages, code),
        showMenu,
    };
    return Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(`ts-lsp.${name}`, run));
}

/** What the status item offers. */
async function showMenu(): Promise<void> {
    const offered = [
        { label: '$(list-tree) Show entry points', command: 'ts-lsp.openEntryPoints' },
        { label: '$(info) Show facts at the cursor', command: 'ts-lsp.openFacts' },
        { label: '$(book) Open the page of a rule', command: 'ts-lsp.openRule' },
        { label: '$(beaker) Verify with torch (executes the file)', command: 'ts-lsp.verifyWithTorch' },
        { label: '$(debug-restart) Restart the server', command: 'ts-lsp.restartServer' },
        { label: '$(output) Show the output', command: 'ts-lsp.showOutput' },
    ];
    const picked = await vscode.window.showQuickPick(offered, { placeHolder: 'TorchScript' });
    if (picked) {
        await vscode.commands.executeCommand(picked.command);
    }
}

async function openFacts(server: Server, pages: Pages): Promise<void> {
    const editor = pythonEditor();
    const place = editor?.selection.active;
    if (!editor || !place) {
        return;
    }
    const position = { line: place.line, character: place.character };
    const facts = await run<Facts | null>(server, 'ts-lsp.showFacts', editor.document.uri.toString(), position);
    if (facts !== undefined) {
        await pages.show('facts', 'Facts', factsPage(facts, editor.document, place));
    }
}

async function openEntryPoints(server: Server): Promise<void> {
    const found = await run<EntryPoint[]>(server, 'ts-lsp.showEntryPoints');
    if (!found) {
        return;
    }
    if (found.length === 0) {
        void vscode.window.showInformationMessage('The open files hand nothing to the TorchScript compiler.');
        return;
    }
    const items = found.map((each) => ({
        label: `${VERDICT_ICONS[each.verdict] ?? '$(question)'} ${each.target ?? 'unknown'}`,
        description: each.through,
        detail: `${vscode.workspace.asRelativePath(vscode.Uri.parse(each.uri))}:${each.position.line + 1}`,
        entry: each,
    }));
    const picked = await vscode.window.showQuickPick(items, {
        placeHolder: 'What the open files hand to the compiler',
        matchOnDescription: true,
        matchOnDetail: true,
    });
    if (picked) {
        const { line, character } = picked.entry.position;
        const selection = new vscode.Range(line, character, line, character);
        await vscode.window.showTextDocument(vscode.Uri.parse(picked.entry.uri), { selection });
    }
}

async function verify(server: Server): Promise<void> {
    const editor = pythonEditor();
    if (editor && server.client) {
        await editor.document.save(); // torch reads the file from disk
        await vscode.commands.executeCommand('ts-lsp.verify', editor.document.uri.toString());
    }
}

/** The page of a rule: of the given one, else of one that is chosen, those of the file in front first. */
async function openRule(server: Server, pages: Pages, code: string | undefined): Promise<void> {
    const { launch } = server;
    if (!launch) {
        void vscode.window.showWarningMessage('The pages of the rules come with the server, which is not running.');
        return;
    }
    const chosen = code ?? (await chooseRule(await output(launch, 'explain')));
    if (chosen) {
        await pages.show(`rules/${chosen}`, chosen, await output(launch, 'explain', chosen));
    }
}

async function chooseRule(listed: string): Promise<string | undefined> {
    const document = vscode.window.activeTextEditor?.document;
    const own = document ? vscode.languages.getDiagnostics(document.uri).filter((each) => each.source === 'ts-lsp') : [];
    const here = new Set(own.map((each) => String(typeof each.code === 'object' ? each.code.value : each.code)));
    const rules = listed
        .split('\n')
        .filter((line) => line.trim())
        .map((line) => ({ label: line.split(/\s/, 1)[0] ?? '', detail: line.replace(/^\S+\s+/, '') }))
        .map((each) => ({ ...each, description: here.has(each.label) ? 'in this file' : '' }))
        .sort((one, other) => Number(here.has(other.label)) - Number(here.has(one.label)));
    const picked = await vscode.window.showQuickPick(rules, { placeHolder: 'A rule', matchOnDetail: true });
    return picked?.label;
}

/** The answer of one of the server's commands; undefined where there is no server. */
async function run<Answer>(server: Server, command: string, ...args: unknown[]): Promise<Answer | undefined> {
    if (!server.client?.isRunning()) {
        void vscode.window.showWarningMessage('The ts-lsp server is not running.');
        return undefined;
    }
    return server.client.sendRequest<Answer>('workspace/executeCommand', { command, arguments: args });
}

function pythonEditor(): vscode.TextEditor | undefined {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.languageId === 'python') {
        return editor;
    }
    void vscode.window.showInformationMessage('Open a Python file first.');
    return undefined;
}
