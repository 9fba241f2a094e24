/**
 * VS Code in a browser, with the extension installed.
 *
 * Owns `Workbench`. Invariant: everything it writes is below one new folder, which goes with it, and every process it
 * starts ends with it.
 */
import { ChildProcess, execFileSync, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as net from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';
import { Browser, chromium, Page } from 'playwright-core';

const PATIENCE = 60_000;
const BROWSER = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];
const NO_GALLERY = JSON.stringify({ serviceUrl: '', itemUrl: '', resourceUrlTemplate: '', controlUrl: '' });
const QUIET = {
    'chat.commandCenter.enabled': false,
    'editor.editContext': false,
    'editor.minimap.enabled': false,
    'extensions.autoCheckUpdates': false,
    'extensions.autoUpdate': false,
    'extensions.ignoreRecommendations': true,
    'files.hotExit': 'off',
    'git.enabled': false,
    'security.workspace.trust.enabled': false,
    'security.workspace.trust.startupPrompt': 'never',
    'telemetry.telemetryLevel': 'off',
    'update.mode': 'none',
    'window.confirmBeforeClose': 'never',
    'workbench.enableExperiments': false,
    'workbench.startupEditor': 'none',
    'workbench.tips.enabled': false,
};

export interface Places {
    /** The installed code-server. */
    readonly codeServer: string;
    /** The packed extension. */
    readonly extension: string;
    /** Where logs and pictures go. */
    readonly output: string;
    /** The folder that is copied to be worked in. */
    readonly workspace: string;
}

export class Workbench {
    readonly root = fs.mkdtempSync(path.join(os.tmpdir(), 'ts-lsp-vscode-'));
    readonly workspace = path.join(this.root, 'workspace');
    private readonly userData = path.join(this.root, 'user');
    private port = 0;
    private server: ChildProcess | undefined;
    private browser: Browser | undefined;

    private constructor(private readonly places: Places) {}

    /** A workbench that can be opened. A start that fails is tried once more. */
    static async start(places: Places, variables: NodeJS.ProcessEnv): Promise<Workbench> {
        for (let isLast = false; ; isLast = true) {
            const workbench = new Workbench(places);
            try {
                await workbench.begin(variables);
                return workbench;
            } catch (fault) {
                await workbench.end();
                if (isLast) {
                    throw fault;
                }
                console.log(`the start failed, and is tried again: ${String(fault)}`);
            }
        }
    }

    /** Writes settings of the user over the usual ones. They hold for pages that are opened afterwards. */
    configure(settings: object): void {
        fs.mkdirSync(path.join(this.userData, 'User'), { recursive: true });
        fs.writeFileSync(path.join(this.userData, 'User', 'settings.json'), JSON.stringify({ ...QUIET, ...settings }));
    }

    /** The workspace and all settings as they were in the beginning. */
    renew(): void {
        fs.rmSync(this.workspace, { recursive: true, force: true });
        fs.cpSync(this.places.workspace, this.workspace, { recursive: true });
        fs.rmSync(path.join(this.userData, 'Machine'), { recursive: true, force: true });
        this.configure({});
    }

    /** A page with a folder or a `.code-workspace`, and more for the workbench in pairs. */
    async open(name: string, payload: [string, string][] = [], prepare?: (page: Page) => Promise<void>): Promise<Page> {
        const context = await this.browser?.newContext({ viewport: { width: 1200, height: 760 }, deviceScaleFactor: 1.5 });
        const page = await context?.newPage();
        if (!page) {
            throw new Error('there is no browser');
        }
        page.setDefaultTimeout(PATIENCE);
        page.on('console', (line) => this.note('console.log', `[${line.type()}] ${line.text()}\n`));
        await prepare?.(page);
        const kind = name.endsWith('.code-workspace') ? 'workspace' : 'folder';
        const place = encodeURIComponent(path.join(this.workspace, name));
        const more = payload.length ? `&payload=${encodeURIComponent(JSON.stringify(payload))}` : '';
        await page.goto(`http://127.0.0.1:${this.port}/?${kind}=${place}${more}`);
        await page.locator('.monaco-workbench').waitFor();
        return page;
    }

    /** How the workbench in the browser calls a path of this machine. */
    address(place: string): string {
        return `vscode-remote://127.0.0.1:${this.port}${place}`;
    }

    async end(): Promise<void> {
        await this.browser?.close();
        const { server } = this;
        if (server?.pid !== undefined && server.exitCode === null && server.signalCode === null) {
            const gone = new Promise((resolve) => server.once('exit', resolve));
            kill(server.pid, 'SIGTERM');
            const killing = setTimeout(() => kill(server.pid, 'SIGKILL'), 8_000);
            await gone;
            clearTimeout(killing);
        }
        const logs = path.join(this.userData, 'logs');
        if (fs.existsSync(logs)) {
            fs.cpSync(logs, path.join(this.places.output, 'logs'), { recursive: true });
        }
        fs.rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
    }

    private async begin(variables: NodeJS.ProcessEnv): Promise<void> {
        this.renew();
        this.port = await freePort();
        const entry = path.join(this.places.codeServer, 'node_modules', 'code-server', 'out', 'node', 'entry.js');
        const folders = ['--user-data-dir', this.userData, '--extensions-dir', path.join(this.root, 'extensions')];
        const quiet = [...folders, '--disable-telemetry', '--disable-update-check'];
        const env = { ...this.variables(), ...variables };
        execFileSync(process.execPath, [entry, ...quiet, '--install-extension', this.places.extension], { env });
        const log = fs.openSync(path.join(this.places.output, 'server.log'), 'w');
        const address = ['--auth', 'none', '--bind-addr', `127.0.0.1:${this.port}`, '--disable-getting-started-override'];
        const options = { env, stdio: ['ignore', log, log] as ['ignore', number, number], detached: true };
        this.server = spawn(process.execPath, [entry, ...quiet, ...address], options);
        await this.answers();
        this.browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: BROWSER });
        const page = await this.open('first');
        await page.context().close();
    }

    /** The surroundings, without what changes how code-server or the extension start. */
    private variables(): NodeJS.ProcessEnv {
        const { VSCODE_IPC_HOOK_CLI, PORT, PASSWORD, VIRTUAL_ENV, CONDA_PREFIX, PYTHONPATH, ...rest } = process.env;
        void [VSCODE_IPC_HOOK_CLI, PORT, PASSWORD, VIRTUAL_ENV, CONDA_PREFIX, PYTHONPATH];
        const home = path.join(this.root, 'home');
        const own = { HOME: home, XDG_CONFIG_HOME: path.join(home, 'config'), XDG_DATA_HOME: path.join(home, 'data') };
        return { ...rest, ...own, EXTENSIONS_GALLERY: NO_GALLERY };
    }

    private async answers(): Promise<void> {
        for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
            const answer = await fetch(`http://127.0.0.1:${this.port}/healthz`).catch(() => undefined);
            if (answer?.ok) {
                return;
            }
            await new Promise((resolve) => setTimeout(resolve, 200));
        }
        throw new Error('code-server does not answer');
    }

    private note(name: string, text: string): void {
        fs.appendFileSync(path.join(this.places.output, name), text);
    }
}

function kill(process_: number | undefined, signal: NodeJS.Signals): void {
    try {
        process.kill(-(process_ ?? NaN), signal);
    } catch {
        return; // it has gone meanwhile
    }
}

function freePort(): Promise<number> {
    return new Promise((resolve) => {
        const server = net.createServer().listen(0, '127.0.0.1', () => {
            const { port } = server.address() as net.AddressInfo;
            server.close(() => resolve(port));
        });
    });
}
