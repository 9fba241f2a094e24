/** The installed extension in a real workbench: the tests inside the extension host, and some as a person sees it. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parseArgs } from 'node:util';
import { pictures } from './pictures';
import { Workbench } from './workbench';

const HOST_PATIENCE = 300_000;
const own = path.resolve(__dirname, '..', '..');
const { values } = parseArgs({
    options: {
        extension: { type: 'string', default: 'dist/ts-lsp.vsix' },
        'code-server': { type: 'string', default: '.editors/code-server' },
        python: { type: 'string', default: '.venv/bin/python' },
        output: { type: 'string', default: '.editors/vscode' },
    },
});
const output = path.resolve(values.output);
const python = path.resolve(values.python);
const places = {
    codeServer: path.resolve(values['code-server']),
    extension: path.resolve(values.extension),
    output,
    workspace: path.join(own, 'test', 'workspace'),
};

describe('VS Code', () => {
    let workbench: Workbench;

    before(async () => {
        fs.rmSync(output, { recursive: true, force: true });
        fs.mkdirSync(output, { recursive: true });
        workbench = await Workbench.start(places, { TS_LSP_TEST_PYTHON: python });
    });

    after(() => workbench?.end());

    it('passes the tests inside the extension host', async () => {
        const payload: [string, string][] = [
            ['extensionDevelopmentPath', workbench.address(path.join(own, 'test', 'stand-in'))],
            ['extensionTestsPath', workbench.address(path.join(own, 'out', 'test', 'host'))],
            ['skipWelcome', 'true'],
        ];
        let ended: (code: unknown) => void = () => undefined;
        const end = new Promise((resolve) => (ended = resolve));
        const late = setTimeout(() => ended('too late'), HOST_PATIENCE);
        const page = await workbench.open('both.code-workspace', payload, async (each) => {
            await each.exposeFunction('codeAutomationLog', (_kind: string, parts: unknown[]) => console.log(...parts));
            await each.exposeFunction('codeAutomationExit', (code: unknown) => ended(code));
        });
        const code = await end;
        clearTimeout(late);
        await page.screenshot({ path: path.join(output, 'host.png') });
        await page.context().close();
        assert.equal(code, 0);
    });

    pictures(() => workbench, output, python);
});
