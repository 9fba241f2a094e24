/** What the Python extension tells other extensions, as far as this one asks: the setting `python.chosen`. */
const vscode = require('vscode');

const chosen = (folder) => vscode.workspace.getConfiguration('python', folder).get('chosen');

exports.activate = (context) => {
    const changes = new vscode.EventEmitter();
    context.subscriptions.push(
        changes,
        vscode.workspace.onDidChangeConfiguration((change) => {
            if (change.affectsConfiguration('python.chosen')) {
                changes.fire({ path: chosen(), id: chosen() });
            }
        }),
    );
    return {
        ready: Promise.resolve(),
        environments: {
            onDidChangeActiveEnvironmentPath: changes.event,
            getActiveEnvironmentPath: (folder) => ({ id: chosen(folder), path: chosen(folder) }),
            resolveEnvironment: async ({ path }) =>
                path ? { path, executable: { uri: vscode.Uri.file(path) } } : undefined,
        },
    };
};
