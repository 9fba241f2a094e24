/** The extension's life. What `activate` gives is for tests, and for other extensions that want to look. */
import * as vscode from 'vscode';
import { registerCommands } from './commands';
import { Pages } from './pages';
import { onInterpreterChange } from './python';
import { Server } from './server';
import { Status } from './status';

/** What other extensions may ask. */
export interface Api {
    /** What the status item shows. */
    status(): { text: string; tooltip: string };
    /** The server's process, while one runs. */
    process(): number | undefined;
    /** The Python that runs the server, and whether the server is the bundled one. */
    launch(): { python: string; isBundled: boolean } | undefined;
}

const OF_THE_LAUNCH = ['ts-lsp.interpreter', 'ts-lsp.importStrategy'];
let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<Api> {
    const status = new Status();
    const pages = new Pages();
    const own = (server = new Server(context, status));
    context.subscriptions.push(
        status,
        pages,
        own,
        ...registerCommands(own, pages),
        vscode.workspace.onDidGrantWorkspaceTrust(() => void own.settingsChanged()),
        vscode.workspace.onDidChangeConfiguration((change) => {
            if (OF_THE_LAUNCH.some((name) => change.affectsConfiguration(name))) {
                void own.settingsChanged();
            }
        }),
    );
    void onInterpreterChange(() => void own.settingsChanged()).then((listening) => {
        if (listening) {
            context.subscriptions.push(listening);
        }
    });
    void own.restart();
    return {
        status: () => status.shown,
        process: () => own.client?.serverProcess?.pid,
        launch: () => own.launch && { python: own.launch.python.path, isBundled: own.launch.isBundled },
    };
}

export function deactivate(): Promise<void> | undefined {
    return server?.stop();
}
