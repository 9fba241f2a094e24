/** What the installed extension does, asked through the editor's own commands. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { codes, eventually, extension, open, placeOf, problems, set, untilCodes } from './asking';

const MEASURES = 'first/measures.py';
const REPORT = 'first/report.py';
const UNSCRIPTED = 'second/unscripted.py';
const ALL = [MEASURES, REPORT, UNSCRIPTED];
const MISTAKE = ['reassigned-type'];
const api = () => extension().exports;
const command = vscode.commands.executeCommand;
/** A Python whose environment has ts_lsp, and torch. */
const ENVIRONMENT = process.env.TS_LSP_TEST_PYTHON ?? '';

export function defineTests(): void {
    describe('features', features);
    describe('settings', settings);
    describe('the server', life);
}

function features(): void {
    it('tells diagnostics of a file that is opened', async () => {
        const start = Date.now();
        await open(MEASURES);
        await untilCodes(MEASURES, MISTAKE);
        console.log(`first diagnostics ${Date.now() - start} ms after a file was opened, with the start of the server`);
        const [found] = problems(MEASURES);
        assert.equal(found?.source, 'ts-lsp');
        assert.equal(found.severity, vscode.DiagnosticSeverity.Error);
        assert.deepEqual([found.range.start.line, found.range.start.character], [9, 8]);
        assert.equal(found.relatedInformation?.[0]?.location.range.start.line, 7);
    });

    it('starts the bundled server', () => {
        assert.equal(api().launch()?.isBundled, true);
    });

    it('fades code that is not compiled', async () => {
        const { document } = await open(MEASURES);
        const faded = await eventually('faded code', () => {
            const hints = vscode.languages.getDiagnostics(document.uri);
            return hints.find((each) => each.tags?.includes(vscode.DiagnosticTag.Unnecessary));
        });
        assert.ok(faded.range.contains(placeOf(document, 'x = x - 1')));
    });

    it('shows types on hover', async () => {
        const { document } = await open(MEASURES);
        const at = placeOf(document, 'offset\n    scale');
        const found = await command<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, at);
        const text = found.flatMap((each) => each.contents).map((each) => (each as vscode.MarkdownString).value);
        assert.match(text.join('\n'), /Tensor/);
    });

    it('completes', async () => {
        const { document } = await open(MEASURES);
        const at = placeOf(document, 'mean()');
        const list = await command<vscode.CompletionList>('vscode.executeCompletionItemProvider', document.uri, at, '.');
        const labels = list.items.map((each) => (typeof each.label === 'string' ? each.label : each.label.label));
        assert.ok(labels.includes('relu'), labels.slice(0, 20).join(', '));
    });

    it('applies a quick fix, and tells that nothing is wrong any more', async () => {
        const { document } = await open(MEASURES);
        const [found] = problems(MEASURES);
        assert.ok(found);
        const kind = vscode.CodeActionKind.QuickFix.value;
        const actions = await command<vscode.CodeAction[]>(
            'vscode.executeCodeActionProvider', document.uri, found.range, kind, 10,
        );
        const fix = actions.find((each) => /0\.0/.test(each.title));
        assert.ok(fix?.edit, actions.map((each) => each.title).join(', '));
        assert.ok(await vscode.workspace.applyEdit(fix.edit));
        assert.equal(document.lineAt(7).text, '    total = 0.0');
        await untilCodes(MEASURES, []);
        await command('undo');
        await untilCodes(MEASURES, MISTAKE);
        await document.save();
    });

    it('shows inlay hints', async () => {
        const { document } = await open(MEASURES);
        const all = new vscode.Range(0, 0, document.lineCount, 0);
        const hints = await command<vscode.InlayHint[]>('vscode.executeInlayHintProvider', document.uri, all);
        const label = (hint: vscode.InlayHint) =>
            typeof hint.label === 'string' ? hint.label : hint.label.map((each) => each.value).join('');
        const scale = hints.find((each) => each.position.line === placeOf(document, 'scale =').line);
        assert.match(scale ? label(scale) : 'no hint', /Tensor/);
    });

    it('renames in all files', async () => {
        await open(REPORT);
        const { document } = await open(MEASURES);
        const at = placeOf(document, 'mean(values: List');
        const edit = await command<vscode.WorkspaceEdit>('vscode.executeDocumentRenameProvider', document.uri, at, 'average');
        const files = edit.entries().map(([uri, edits]) => [path.basename(uri.fsPath), edits.length]);
        assert.deepEqual(files.sort(), [['measures.py', 2], ['report.py', 2]]);
    });

    it('shows lenses that lead to entry points', async () => {
        const { document } = await open(MEASURES);
        const lenses = await eventually('lenses', async () => {
            const found = await command<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 100);
            return found.length ? found : undefined;
        });
        const line = placeOf(document, 'def mean').line;
        const lens = lenses.find((each) => each.range.start.line === line && each.command?.arguments?.length);
        assert.ok(lens?.command, lenses.map((each) => `${each.range.start.line}: ${each.command?.title}`).join('\n'));
        await command(lens.command.command, ...(lens.command.arguments ?? []));
        await eventually('the cursor is at an entry point', () => {
            const editor = vscode.window.activeTextEditor;
            return editor?.document.lineAt(editor.selection.active.line).text.includes('script');
        });
    });

    it('colours refined and dropped names', async () => {
        const { document } = await open(MEASURES);
        const legend = await command<vscode.SemanticTokensLegend>('vscode.provideDocumentSemanticTokensLegend', document.uri);
        const tokens = await command<vscode.SemanticTokens>('vscode.provideDocumentSemanticTokens', document.uri);
        assert.deepEqual(marked(document, legend, tokens, 'refined'), ['offset']);
        assert.deepEqual([...new Set(marked(document, legend, tokens, 'dropped'))], ['x']);
    });

    it('shows facts, and the page of a rule', async () => {
        const editor = await open(MEASURES);
        const at = placeOf(editor.document, 'scale = x', 8);
        editor.selection = new vscode.Selection(at, at);
        await command('ts-lsp.openFacts');
        const facts = await vscode.workspace.openTextDocument(vscode.Uri.parse('ts-lsp:/facts/Facts.md'));
        assert.match(facts.getText(), /`Tensor`[^]*`shifted`[^]*verdict \*\*ok\*\*/);
        await command('ts-lsp.openRule', 'reassigned-type');
        const page = vscode.Uri.parse('ts-lsp:/rules/reassigned-type/reassigned-type.md');
        assert.match((await vscode.workspace.openTextDocument(page)).getText(), /## Why TorchScript refuses it/);
        await command('workbench.action.closeEditorsInOtherGroups');
    });

    it('tells the torch version and the number of problems', async () => {
        await open(MEASURES);
        const shown = await eventually('the status', () => {
            const { text, tooltip } = api().status();
            const count = ALL.flatMap(problems).length;
            return count >= 2 && new RegExp(`torch 2\\.\\d+ · ${count}$`).test(text) && tooltip;
        });
        assert.match(shown, /the server is running/);
    });
}

function settings(): void {
    it('takes those of a folder, and takes them back', async () => {
        await open(MEASURES);
        await set('ts-lsp', 'ignore', MISTAKE, 'first');
        await untilCodes(MEASURES, []);
        await set('ts-lsp', 'ignore', undefined, 'first');
        await untilCodes(MEASURES, MISTAKE);
    });

    it('leaves to each folder its own', async () => {
        await open(UNSCRIPTED);
        await eventually('all functions of the second folder are checked', () => codes(UNSCRIPTED).length);
        await eventually('the torch version of the second folder', () => api().status().text.includes('torch 1.13'));
        await open(MEASURES);
        await eventually('the torch version of the first folder', () => api().status().text.includes('torch 2.'));
    });

    it('follows the choice in the Python extension', async () => {
        await set('python', 'chosen', ENVIRONMENT);
        await eventually('the chosen Python', () => api().launch()?.python === ENVIRONMENT);
        await open(MEASURES);
        await eventually('its environment', () => api().status().tooltip.includes('found; the setting `python`'));
        await untilCodes(MEASURES, MISTAKE);
    });

    it('starts the server of an environment', async () => {
        await set('ts-lsp', 'importStrategy', 'fromEnvironment');
        await eventually('the server of the environment', () => api().launch()?.isBundled === false);
        await untilCodes(MEASURES, MISTAKE);
        await set('python', 'chosen', undefined);
        await eventually('the bundled server, where there is no other', () => {
            return api().launch()?.isBundled && api().launch()?.python !== ENVIRONMENT;
        });
        await set('ts-lsp', 'importStrategy', undefined);
        await untilCodes(MEASURES, MISTAKE);
    });

    it('says that a Python is missing or too old', async () => {
        await open(MEASURES);
        const old = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'ts-lsp-')), 'python');
        fs.writeFileSync(old, '#!/bin/sh\necho \'{"path": "", "version": [3, 8, 1], "server": null}\'\n', { mode: 0o755 });
        await set('ts-lsp', 'interpreter', old);
        await eventually('that it is too old', () => api().status().tooltip.includes('Python 3.8.1: ts-lsp needs 3.10'));
        await set('ts-lsp', 'interpreter', '/there/is/no/python');
        await eventually('that there is none', () => api().status().tooltip.includes('could not be started'));
        assert.deepEqual(codes(MEASURES), []);
        await set('ts-lsp', 'interpreter', undefined);
        await untilCodes(MEASURES, MISTAKE);
    });
}

function life(): void {
    it('is started again by command', async () => {
        const before = await runs();
        await command('ts-lsp.restartServer');
        assert.notEqual(await runs(), before);
        await untilCodes(MEASURES, MISTAKE);
    });

    it('is started again when it was killed', async () => {
        await open(MEASURES);
        const before = await runs();
        process.kill(before, 'SIGKILL');
        await eventually('another process', async () => (await runs()) !== before);
        await untilCodes(MEASURES, MISTAKE);
        const { document } = await open(MEASURES);
        const at = placeOf(document, 'scale =');
        const found = await command<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, at);
        assert.equal(found.length, 1);
    });

    it('stays ended when it ends too often, until a person wants it', async () => {
        await command('ts-lsp.restartServer');
        for (let time = 0; time < 6; time += 1) {
            const before = await runs();
            process.kill(before, 'SIGKILL');
            await eventually('the end', () => api().process() !== before);
        }
        await eventually('a word about it', () => api().status().tooltip.includes('ended 6 times within three minutes'));
        await command('ts-lsp.restartServer');
        await untilCodes(MEASURES, MISTAKE);
    });
}

/** The server's process, once it runs. */
function runs(): Promise<number> {
    return eventually('a running server', () => api().status().tooltip.includes('is running') && api().process());
}

/** The texts of the tokens with a modifier. */
function marked(
    document: vscode.TextDocument,
    legend: vscode.SemanticTokensLegend,
    { data }: vscode.SemanticTokens,
    modifier: string,
): string[] {
    const bit = 1 << legend.tokenModifiers.indexOf(modifier);
    const found: string[] = [];
    let [line, start] = [0, 0];
    for (let at = 0; at < data.length; at += 5) {
        const [lines = 0, characters = 0, length = 0, , modifiers = 0] = data.subarray(at, at + 5);
        start = lines ? characters : start + characters;
        line += lines;
        if (modifiers & bit) {
            found.push(document.getText(new vscode.Range(line, start, line, start + length)));
        }
    }
    return found;
}

