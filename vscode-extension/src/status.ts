/**
 * The status item: the torch version of the file in front, how many problems there are, and what is being done.
 *
 * Owns `Status`. Invariant: it is shown beside Python files, and wherever something is wrong.
 */
import * as vscode from 'vscode';
import {
    ClientCapabilities,
    ProgressToken,
    StaticFeature,
    WorkDoneProgressBegin,
    WorkDoneProgressEnd,
    WorkDoneProgressReport,
} from 'vscode-languageclient/node';

const SOURCE = 'ts-lsp';

/** What the server says of a project. */
export interface Project {
    readonly root: string;
    readonly torchVersion: string;
    readonly torchIsInstalled: boolean;
    readonly environment: string;
}

export type Health =
    | { readonly state: 'starting' | 'running' | 'waiting' }
    | { readonly state: 'failed'; readonly message: string };

export class Status implements vscode.Disposable {
    /** Tells the server that its projects are wanted to be known. */
    readonly feature: StaticFeature = {
        fillClientCapabilities(capabilities: ClientCapabilities): void {
            capabilities.experimental = { ...(capabilities.experimental as object), tsLspProjects: true };
        },
        initialize: () => undefined,
        getState: () => ({ kind: 'static' }),
        clear: () => undefined,
    };
    private readonly item = vscode.window.createStatusBarItem('ts-lsp.status', vscode.StatusBarAlignment.Right, 90);
    private health: Health = { state: 'starting' };
    private projects: readonly Project[] = [];
    private readonly works = new Map<ProgressToken, { title: string; detail: string }>();
    private readonly listeners: vscode.Disposable[];

    constructor() {
        this.item.name = 'TorchScript';
        this.item.command = 'ts-lsp.showMenu';
        this.listeners = [
            vscode.window.onDidChangeActiveTextEditor(() => this.draw()),
            vscode.languages.onDidChangeDiagnostics(() => this.draw()),
        ];
    }

    /** What is shown now, as text and as an explanation. */
    get shown(): { text: string; tooltip: string } {
        const tooltip = this.item.tooltip;
        return { text: this.item.text, tooltip: typeof tooltip === 'string' ? tooltip : (tooltip?.value ?? '') };
    }

    show(health: Health): void {
        this.health = health;
        if (health.state !== 'running') {
            this.works.clear();
        }
        this.draw();
    }

    know(projects: readonly Project[]): void {
        this.projects = projects;
        this.draw();
    }

    work(token: ProgressToken, step: WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd): void {
        if (step.kind === 'end') {
            this.works.delete(token);
        } else {
            const title = step.kind === 'begin' ? step.title : (this.works.get(token)?.title ?? '');
            const percentage = step.percentage === undefined ? '' : ` ${step.percentage}%`;
            this.works.set(token, { title, detail: percentage });
        }
        this.draw();
    }

    dispose(): void {
        this.item.dispose();
        this.listeners.forEach((each) => void each.dispose());
    }

    private draw(): void {
        const problems = problemCount();
        const project = this.projectInFront();
        const torch = project ? `torch ${project.torchVersion}` : 'TorchScript';
        const work = [...this.works.values()].map((each) => each.title + each.detail).at(-1);
        this.item.text = [this.icon(problems), torch, problems ? `· ${problems}` : '', work ? `· ${work}` : '']
            .filter(Boolean)
            .join(' ');
        this.item.tooltip = new vscode.MarkdownString(this.explained(project, problems, work).join('\n\n'));
        const isFailed = this.health.state === 'failed';
        this.item.backgroundColor = isFailed ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
        if (isFailed || vscode.window.activeTextEditor?.document.languageId === 'python') {
            this.item.show();
        } else {
            this.item.hide();
        }
    }

    private icon(problems: number): string {
        if (this.health.state === 'failed') {
            return '$(error)';
        }
        if (this.health.state !== 'running' || this.works.size > 0) {
            return '$(sync~spin)';
        }
        return problems ? '$(warning)' : '$(check)';
    }

    private explained(project: Project | undefined, problems: number, work: string | undefined): string[] {
        const health = this.health;
        const lines = [`**TorchScript**: ${health.state === 'failed' ? health.message : TOLD[health.state]}`];
        if (project) {
            const installed = project.torchIsInstalled ? 'found' : 'assumed, as none was found';
            lines.push(`torch ${project.torchVersion} (${installed}; ${project.environment})`);
        }
        lines.push(`${problems} problem${problems === 1 ? '' : 's'} in the workspace`);
        return work ? [...lines, `${work} …`] : lines;
    }

    /** The innermost project that holds the file in front; any, where no file is. */
    private projectInFront(): Project | undefined {
        const file = vscode.window.activeTextEditor?.document.uri.toString();
        const around = this.projects.filter((each) => file?.startsWith(each.root));
        return around.sort((one, other) => other.root.length - one.root.length)[0] ?? this.projects[0];
    }
}

const TOLD = {
    starting: 'the server is starting',
    running: 'the server is running',
    waiting: 'the server has ended, and is started again in a moment',
};

/** Errors and warnings of the whole workspace, without hints. */
function problemCount(): number {
    const all = vscode.languages.getDiagnostics().flatMap(([, each]) => each);
    return all.filter((each) => each.source === SOURCE && each.severity <= vscode.DiagnosticSeverity.Warning).length;
}
