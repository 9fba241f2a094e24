/** Pages in Markdown that are shown and never saved. */
import * as vscode from 'vscode';

const SCHEME = 'ts-lsp';

export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
    private readonly texts = new Map<string, string>();
    private readonly changes = new vscode.EventEmitter<vscode.Uri>();
    readonly onDidChange = this.changes.event;
    private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

    provideTextDocumentContent(uri: vscode.Uri): string {
        return this.texts.get(uri.path) ?? '';
    }

    /** Shows a text beside the editor. A page with the same address gets the new text. */
    async show(address: string, title: string, text: string): Promise<void> {
        const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${address}/${title}.md` });
        this.texts.set(uri.path, text);
        this.changes.fire(uri);
        await vscode.commands.executeCommand('markdown.showPreviewToSide', uri);
    }

    dispose(): void {
        this.registration.dispose();
        this.changes.dispose();
    }
}
