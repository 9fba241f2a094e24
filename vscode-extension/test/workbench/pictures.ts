/** What a person sees and does, with pictures of it. */
import assert from 'node:assert/strict';
import * as path from 'node:path';
import { beforeEach, it } from 'node:test';
import { Page } from 'playwright-core';
import type { Workbench } from './workbench';

const FILE = 'measures.py';
const STATUS = '.statusbar-item[id="ts-lsp.ts-lsp.ts-lsp.status"]';

export function pictures(workbench: () => Workbench, output: string, python: string): void {
    async function picture(page: Page, name: string): Promise<void> {
        await page.waitForTimeout(300); // animations end
        await page.screenshot({ path: path.join(output, `${name}.png`) });
    }

    async function opened(folder = 'first', file = FILE): Promise<Page> {
        const place = path.join(workbench().workspace, folder, file);
        const page = await workbench().open(folder, [['openFile', workbench().address(place)]]);
        await page.locator(`.tab.active[data-resource-name="${file}"]`).waitFor();
        await page.locator('.editor-instance .view-line').nth(3).waitFor();
        return page;
    }

    beforeEach(() => workbench().renew());

    it('underlines a mistake, lists it and counts it', async () => {
        const start = Date.now();
        const page = await opened();
        const shown = Date.now();
        await page.locator('.editor-instance .squiggly-error').first().waitFor({ state: 'attached' });
        const now = Date.now();
        console.log(`cold: text after ${shown - start} ms, underlined ${now - shown} ms later`);
        await page.keyboard.press('Control+Shift+M');
        const row = page.locator('.markers-panel .monaco-list-row', { hasText: 'reassigned-type' });
        await row.first().waitFor();
        assert.match(await row.first().innerText(), /`total` is `int` outside of this block/);
        await page.locator(STATUS, { hasText: /torch 2\.\d+ · 2/ }).waitFor();
        await picture(page, 'problems');
        await page.context().close();
    });

    it('underlines soon in a file that is opened later', async () => {
        const page = await opened('first', 'report.py');
        await page.locator(STATUS, { hasText: /torch 2\.\d+/ }).waitFor();
        await page.locator('.editor-instance .codelens-decoration').first().waitFor();
        await page.keyboard.press('Control+P');
        await page.locator('.quick-input-widget input').first().fill(FILE);
        await page.locator('.quick-input-widget .monaco-list-row', { hasText: FILE }).first().waitFor();
        const start = Date.now();
        await page.keyboard.press('Enter');
        await page.locator(`.tab.active[data-resource-name="${FILE}"]`).waitFor();
        await page.locator('.editor-instance .view-line', { hasText: 'total' }).first().waitFor();
        const shown = Date.now();
        await page.locator('.editor-instance .squiggly-error').first().waitFor({ state: 'attached' });
        console.log(`warm: text after ${shown - start} ms, underlined ${Date.now() - shown} ms later`);
        await page.context().close();
    });

    it('shows a type on hover, and a page of a rule beside the code', async () => {
        const page = await opened();
        await page.locator('.editor-instance .squiggly-error').first().waitFor({ state: 'attached' });
        await page.locator('.editor-instance .view-line span span', { hasText: /^total$/ }).nth(1).hover();
        await page.locator('.monaco-hover .hover-contents', { hasText: 'reassigned-type' }).first().waitFor();
        await picture(page, 'hover');
        await page.mouse.move(5, 400);
        await chosen(page, 'TorchScript: Open the Page of a Rule');
        await page.locator('.quick-input-widget .monaco-list-row', { hasText: 'in this file' }).first().waitFor();
        await page.keyboard.press('Enter');
        await page.locator('.tab', { hasText: 'Preview reassigned-type' }).first().waitFor();
        await page.waitForTimeout(2000); // what a web view shows is out of reach
        await picture(page, 'rule');
        await page.context().close();
    });

    it('repairs a mistake from the keyboard', async () => {
        const page = await opened();
        await page.locator('.editor-instance .squiggly-error').first().waitFor({ state: 'attached' });
        await page.locator('.editor-instance .view-line span span', { hasText: /^total$/ }).nth(1).click();
        await page.keyboard.press('Control+.');
        await page.locator('.action-widget .monaco-list-row', { hasText: '0.0' }).first().waitFor();
        await picture(page, 'fix');
        await page.keyboard.press('Enter'); // it is the preferred one, so chosen already
        await page.locator('.editor-instance .view-line', { hasText: /0\.0/ }).waitFor();
        await page.locator('.editor-instance .squiggly-error').first().waitFor({ state: 'detached' });
        await page.keyboard.press('Control+Z');
        await page.locator('.editor-instance .squiggly-error').first().waitFor({ state: 'attached' });
        await page.context().close();
    });

    it('asks before torch is asked, and shows what that refuses', async () => {
        workbench().configure({ 'ts-lsp.interpreter': python });
        const page = await opened();
        await page.locator('.codelens-decoration a', { hasText: 'verify with torch' }).first().click();
        const question = page.locator('.notification-toast, .monaco-dialog-box', { hasText: 'executes measures.py' });
        await question.first().waitFor();
        await question.getByText('Execute', { exact: true }).first().click();
        await page.locator('.notification-toast', { hasText: /Torch refuses/ }).waitFor({ timeout: 120_000 });
        await page.keyboard.press('Control+Shift+M');
        await page.locator('.markers-panel .monaco-list-row', { hasText: 'torch refuses' }).first().waitFor();
        await picture(page, 'verify');
        await page.context().close();
    });

    it('says what to do where there is no Python', async () => {
        workbench().configure({ 'ts-lsp.interpreter': '/there/is/no/python' });
        const page = await opened();
        const toast = page.locator('.notification-toast', { hasText: 'could not be started as a Python' });
        await toast.waitFor();
        await toast.getByText('Restart', { exact: true }).waitFor();
        await picture(page, 'no-python');
        await toast.getByText('Open Settings', { exact: true }).click();
        await page.locator('.settings-editor', { hasText: 'that runs the server' }).first().waitFor();
        await picture(page, 'settings');
        await page.context().close();
    });

    it('checks in a workspace that is not trusted, but executes nothing of it', async () => {
        workbench().configure({ 'security.workspace.trust.enabled': true });
        const page = await opened();
        await page.locator('.editor-instance .squiggly-error').first().waitFor({ state: 'attached' });
        await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
        await page.keyboard.press('F1');
        await page.locator('.quick-input-widget input').first().fill('>TorchScript:');
        await page.locator('.quick-input-widget .monaco-list-row', { hasText: 'Restart Server' }).first().waitFor();
        assert.equal(await page.locator('.quick-input-widget .monaco-list-row', { hasText: 'Verify' }).count(), 0);
        await picture(page, 'restricted');
        await page.context().close();
    });
}

/** Chooses a command in the palette. */
async function chosen(page: Page, title: string): Promise<void> {
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget input').first().fill(`>${title}`);
    await page.locator('.quick-input-widget .monaco-list-row', { hasText: title }).first().waitFor();
    await page.keyboard.press('Enter');
}
