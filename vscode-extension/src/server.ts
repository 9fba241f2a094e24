/**
 * The server's life: started, watched, started again.
 *
 * Owns `Server`. Invariant: there is at most one server; one that ends by itself is started again after a pause that
 * doubles each time, until it has ended too often in too short a time: then a person is asked.
 */
import * as vscode from 'vscode';
import { CloseAction, ErrorAction, LanguageClient, LanguageClientOptions } from 'vscode-languageclient/node';
import { chooseLaunch, commandLine, Launch } from './launch';
import { middleware } from './middleware';
import { NoPython } from './python';
import { serverSettings } from './settings';
import { Project, Status } from './status';

const TRIES = 5;
const PERIOD = 3 * 60_000;
const FIRST_PAUSE = 1_000;
const RESTART = 'Restart';
const SHOW_OUTPUT = 'Show Output';
const SETTINGS = 'Open Settings';
const SELECTOR = [
    { scheme: 'file', language: 'python' },
    { scheme: 'untitled', language: 'python' },
    { notebook: '*', language: 'python' },
];

export class Server implements vscode.Disposable {
    client: LanguageClient | undefined;
    launch: Launch | undefined;
    readonly log = vscode.window.createOutputChannel('ts-lsp', { log: true });
    private readonly trace = vscode.window.createOutputChannel('ts-lsp trace', { log: true });
    private readonly names: readonly string[];
    private ends: number[] = [];
    private pause: NodeJS.Timeout | undefined;
    private queue: Promise<void> = Promise.resolve();
    private noticed = '';

    constructor(
        private readonly context: vscode.ExtensionContext,
        private readonly status: Status,
    ) {
        this.names = serverSettings(context.extension);
    }

    /** Starts the server, a running one again. Calls wait for each other. */
    restart(): Promise<void> {
        this.ends = [];
        return this.again();
    }

    /** Starts the server again if another Python or another copy of it is to be run; else only tells it to look. */
    async settingsChanged(): Promise<void> {
        const launch = await chooseLaunch(this.context).catch(() => undefined);
        const now = this.launch;
        if (!launch || !now || launch.python.path !== now.python.path || launch.isBundled !== now.isBundled) {
            return this.restart();
        }
        await this.client?.sendNotification('workspace/didChangeConfiguration', { settings: null });
    }

    /** Ends the server, after whatever is going on. */
    stop(): Promise<void> {
        clearTimeout(this.pause);
        return this.inTurn(() => this.end());
    }

    dispose(): void {
        this.log.dispose();
        this.trace.dispose();
    }

    private again(): Promise<void> {
        clearTimeout(this.pause);
        return this.inTurn(async () => {
            await this.end();
            await this.begin();
        });
    }

    private inTurn(work: () => Promise<void>): Promise<void> {
        return (this.queue = this.queue.then(work, work));
    }

    private async end(): Promise<void> {
        const client = this.client;
        this.client = undefined;
        try {
            await client?.dispose();
        } catch (fault) {
            this.log.warn(`the server did not end in order: ${String(fault)}`);
        }
    }

    private async begin(): Promise<void> {
        this.status.show({ state: 'starting' });
        try {
            this.launch = await chooseLaunch(this.context);
        } catch (fault) {
            this.launch = undefined;
            this.fail(fault instanceof Error ? fault.message : String(fault), fault instanceof NoPython);
            return;
        }
        this.tell(this.launch);
        const client = this.makeClient(this.launch);
        this.client = client;
        try {
            await client.start();
        } catch (fault) {
            this.log.error(`the server could not be started: ${String(fault)}`);
            this.ended(client);
            return;
        }
        this.status.show({ state: 'running' });
    }

    private tell(launch: Launch): void {
        const whose = launch.isBundled ? 'the bundled server' : `ts_lsp ${launch.python.server ?? ''} of the environment`;
        this.log.info(`starting ${whose} on ${launch.python.path}, Python ${launch.python.version.join('.')}`);
        if (launch.notice && launch.notice !== this.noticed) {
            this.noticed = launch.notice;
            void vscode.window.showInformationMessage(launch.notice);
        }
    }

    private makeClient(launch: Launch): LanguageClient {
        const options: LanguageClientOptions = {
            documentSelector: SELECTOR,
            outputChannel: this.log,
            traceOutputChannel: this.trace,
            middleware: middleware(this.names, this.status),
            initializationFailedHandler: () => false,
            errorHandler: {
                error: () => ({ action: ErrorAction.Continue }),
                closed: () => {
                    if (this.client === client) {
                        setTimeout(() => this.ended(client)); // the client looks after its own end first
                    }
                    return { action: CloseAction.DoNotRestart, handled: true, message: 'the connection has ended' };
                },
            },
        };
        const { folder: cwd, environment: env } = launch;
        const executable = { command: launch.python.path, args: commandLine('server'), options: { cwd, env } };
        const client = new LanguageClient('ts-lsp', 'ts-lsp', executable, options);
        client.registerFeature(this.status.feature);
        client.onNotification('ts-lsp/projects', ({ projects }: { projects: Project[] }) => this.status.know(projects));
        return client;
    }

    /** The server has ended, and nobody wanted it to. */
    private ended(client: LanguageClient): void {
        if (this.client !== client) {
            return; // it was replaced, or this is known
        }
        this.client = undefined;
        void client.dispose().catch(() => undefined); // it is gone already
        const now = Date.now();
        this.ends = [...this.ends.filter((each) => now - each < PERIOD), now];
        if (this.ends.length > TRIES) {
            this.fail(`The ts-lsp server ended ${this.ends.length} times within three minutes.`, false);
            return;
        }
        const pause = FIRST_PAUSE * 2 ** (this.ends.length - 1);
        this.log.warn(`the server has ended; it is started again in ${pause / 1000} s`);
        this.status.show({ state: 'waiting' });
        this.pause = setTimeout(() => void this.again(), pause);
    }

    /** Tells why there is no server, and what can be done about it. */
    private fail(message: string, isAboutPython: boolean): void {
        this.log.error(message);
        this.status.show({ state: 'failed', message });
        const choices = isAboutPython ? [SETTINGS, RESTART] : [RESTART, SHOW_OUTPUT];
        void vscode.window.showErrorMessage(message, ...choices).then((choice) => {
            if (choice === RESTART) {
                void this.restart();
            } else if (choice === SETTINGS) {
                openInterpreterSetting();
            } else if (choice === SHOW_OUTPUT) {
                this.log.show();
            }
        });
    }
}

/** The form of the setting; of the machine that the server runs on, which may be another one than the window's. */
function openInterpreterSetting(): void {
    const command = vscode.env.remoteName ? 'workbench.action.openRemoteSettings' : 'workbench.action.openSettings';
    void vscode.commands.executeCommand(command, { query: '@id:ts-lsp.interpreter' });
}
