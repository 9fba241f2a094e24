/** A headless Chromium with the page in it, and what a person does there. */

import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { chromium } from "playwright-core";

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];
const SCREENSHOTS = ".screenshots";
/** Milliseconds in which something has to be seen, on a machine that does other things, too. */
export const PATIENCE = 60_000;

export async function launch() {
  const executablePath = process.env["CHROMIUM"] ?? BROWSERS.find((each) => existsSync(each));
  if (executablePath === undefined) throw new Error("there is no Chromium: install one, or say where in CHROMIUM");
  await mkdir(SCREENSHOTS, { recursive: true });
  return chromium.launch({ executablePath, args: FLAGS });
}

/** The fragment of a link to a program. */
export function fragment(text, torch) {
  const parts = new URLSearchParams({ code: deflateRawSync(text).toString("base64url") });
  if (torch) parts.set("torch", torch);
  return `#${parts}`;
}

/** The page in a browser of its own, with everything it complains of and asks of the network. */
export class Visit {
  complaints = [];
  addresses = [];

  static async begin(browser, address, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const visit = new Visit();
    visit.page = await context.newPage();
    visit.page.setDefaultTimeout(PATIENCE);
    visit.page.on("pageerror", (error) => visit.complaints.push(error.message));
    visit.page.on("console", (each) => each.type() === "error" && visit.complaints.push(each.text()));
    visit.page.on("request", (each) => visit.addresses.push(each.url()));
    const start = performance.now();
    await visit.page.goto(address);
    await visit.page.locator("#status", { hasText: "ready after" }).waitFor();
    visit.seconds = (performance.now() - start) / 1000;
    return visit;
  }

  end() {
    return this.page.context().close();
  }

  screenshot(name) {
    return this.page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  }

  /** Opens a program as a link into the page that is already there. */
  async open(text, torch) {
    await this.page.evaluate(async (hash) => {
      history.replaceState(null, "", " ");
      location.hash = hash;
    }, fragment(text, torch));
  }

  /** Waits for a text in the editor. Monaco shows spaces as ones that do not break. */
  seen(text) {
    const shows = (wanted) => document.querySelector(".view-lines")?.textContent?.replaceAll("\u00a0", " ").includes(wanted);
    return this.page.waitForFunction(shows, text);
  }

  /** Waits until the findings are those of the rules given. */
  async findings(...codes) {
    const are = (wanted) => {
      const shown = [...document.querySelectorAll("#findings .code:first-child")].map((each) => each.textContent);
      const isEmpty = document.querySelector("#findings .nothing") !== null;
      return wanted.length ? JSON.stringify(shown) === JSON.stringify(wanted) : isEmpty;
    };
    await this.page.waitForFunction(are, codes).catch(async () => {
      throw new Error(`expected [${codes}], the panel shows: ${await this.page.textContent("#findings")}`);
    });
  }

  /** Puts the cursor on a line, counted from 1, behind its text. */
  async goToEndOf(line) {
    await this.page.locator(".monaco-editor textarea, .monaco-editor .native-edit-context").first().focus();
    await this.page.keyboard.press("Control+Home");
    for (let each = 1; each < line; each++) await this.page.keyboard.press("ArrowDown");
    await this.page.keyboard.press("End");
  }

  type(text) {
    return this.page.keyboard.type(text, { delay: 20 });
  }
}
