/** The facts at a place, written for people. */
import * as vscode from 'vscode';

interface Definition {
    readonly name: string;
    readonly kind: string;
    readonly verdict: string;
    readonly schema: string | null;
    readonly unknownReason: string | null;
    readonly compiledBecause: readonly { readonly uri: string; readonly line: number }[];
    readonly refinements: readonly {
        readonly name: string;
        readonly before: string;
        readonly after: string;
        readonly line: number;
    }[];
    readonly attributes: readonly {
        readonly name: string;
        readonly kind: string;
        readonly type: string | null;
        readonly why: string | null;
    }[];
}

/** The server's answer to `ts-lsp.showFacts`. */
export interface Facts {
    readonly range: { readonly start: Place; readonly end: Place } | null;
    readonly types: readonly string[];
    readonly definitions: readonly Definition[];
}

interface Place {
    readonly line: number;
    readonly character: number;
}

export function factsPage(facts: Facts | null, document: vscode.TextDocument, place: vscode.Position): string {
    const where = `${vscode.workspace.asRelativePath(document.uri)}, line ${place.line + 1}`;
    const lines = [`# Facts`, where];
    if (!facts?.definitions.length) {
        return [...lines, 'Nothing here is compiled by TorchScript.'].join('\n\n');
    }
    if (facts.range) {
        const { start, end } = facts.range;
        const text = document.getText(new vscode.Range(start.line, start.character, end.line, end.character));
        lines.push(fenced(text), `Type: ${facts.types.map(code).join(' or ') || 'none'}`);
    }
    return [...lines, ...facts.definitions.flatMap(definition)].join('\n\n') + '\n';
}

function definition(each: Definition): string[] {
    const lines = [`## ${code(each.name)}`, `${each.kind}, verdict **${each.verdict}**`];
    if (each.unknownReason) {
        lines.push(each.unknownReason);
    }
    if (each.schema) {
        lines.push(fenced(each.schema));
    }
    const because = each.compiledBecause.map(
        ({ uri, line }) => `${vscode.workspace.asRelativePath(vscode.Uri.parse(uri))}:${line + 1}`,
    );
    if (because.length) {
        lines.push(`Compiled because of ${because.join(', ')}`);
    }
    const refined = each.refinements.map((one) => [one.name, one.before, one.after, `line ${one.line + 1}`]);
    const kept = each.attributes.map((one) => [one.name, one.kind, one.type ?? '', one.why ?? '']);
    return [
        ...lines,
        ...table('### Refinements', ['Variable', 'Before', 'After', 'Where'], refined),
        ...table('### Attributes', ['Name', 'Kind', 'Type', 'Why'], kept),
    ];
}

function table(title: string, heads: readonly string[], rows: readonly string[][]): string[] {
    const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
    const body = rows.map((cells) => row(cells.map((cell) => (cell ? code(cell.replaceAll('|', '\\|')) : ''))));
    return rows.length ? [title, [row(heads), row(heads.map(() => '---')), ...body].join('\n')] : [];
}

function code(text: string): string {
    return `\`${text}\``;
}

function fenced(text: string): string {
    return '```python\n' + text + '\n```';
}
