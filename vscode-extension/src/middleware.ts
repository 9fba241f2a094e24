/** What is done to messages on their way between editor and server. */
import * as vscode from 'vscode';
import { Middleware } from 'vscode-languageclient/node';
import { tableFor } from './settings';
import { Status } from './status';

const SECTION = 'ts-lsp';

export function middleware(names: readonly string[], status: Status): Middleware {
    return {
        workspace: {
            configuration: async (params, token, next) => {
                const answers = params.items.map(async (item) => {
                    if (item.section !== SECTION) {
                        return ((await next({ items: [item] }, token)) as unknown[])[0];
                    }
                    return tableFor(names, item.scopeUri ? vscode.Uri.parse(item.scopeUri) : undefined);
                });
                return Promise.all(answers);
            },
        },
        handleWorkDoneProgress: (token, params, next) => {
            status.work(token, params);
            next(token, params);
        },
        executeCommand: async (command, args, next) => {
            if (command === 'ts-lsp.verify') {
                return verify(args, next);
            }
            return next(command, args);
        },
    };
}

/** Verifying executes the file: never in a workspace that is not trusted, and the outcome is told. */
async function verify(
    args: unknown[],
    next: (command: string, args: unknown[]) => vscode.ProviderResult<unknown>,
): Promise<unknown> {
    if (!vscode.workspace.isTrusted) {
        void vscode.window.showWarningMessage('Verifying executes the file: it waits until the workspace is trusted.');
        return undefined;
    }
    const outcome = (await next('ts-lsp.verify', args)) as { refused: { target: string }[] } | null | undefined;
    if (outcome) {
        const refused = outcome.refused.map((each) => `\`${each.target}\``).join(', ');
        const message = refused ? `Torch refuses ${refused}.` : 'Torch compiles everything that the file hands to it.';
        void vscode.window.showInformationMessage(message);
    }
    return outcome;
}
