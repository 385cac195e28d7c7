import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

export type { Browser, Locator, Page };

/** A window, and the errors of its pages. */
export type TestWindow = { readonly context: BrowserContext; readonly page: Page };

export type Look = { readonly baseURL: string; readonly colorScheme?: 'light' | 'dark' };

const WAIT_MS = 45_000;

/** True for a console error that is not the page's fault: a refused request, which the page shows. */
const isRefusal = (text: string): boolean => text.startsWith('Failed to load resource');

/** Opens another window of a browser, with cookies of its own. */
export const openWindow = async (browser: Browser, look: Look, complaints: string[]): Promise<TestWindow> => {
  const context = await browser.newContext(look);
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error' && !isRefusal(line.text())) complaints.push(line.text());
  });
  return { context, page };
};

type Scene = { readonly browser: () => Browser | string; readonly look: () => Look };

/** Runs a test in a window of its own; skips it without a browser, and fails it for anything that the policy of a page refused. */
export const testInWindow =
  ({ browser, look }: Scene, work: (window: TestWindow, another: () => Promise<TestWindow>) => Promise<void>) =>
  async (t: TestContext): Promise<void> => {
    const opened = browser();
    if (typeof opened === 'string') return t.skip(opened);
    const complaints: string[] = [];
    const windows: TestWindow[] = [];
    const open = async (): Promise<TestWindow> => {
      const window = await openWindow(opened, look(), complaints);
      windows.push(window);
      return window;
    };
    try {
      await work(await open(), open);
      assert.deepEqual(complaints, [], 'nothing the policy refused, and no error');
    } finally {
      await Promise.all(windows.map(({ context }) => context.close()));
    }
  };

/** Waits for the page with this title. */
export const waitForTitle = (page: Page, name: string): Promise<void> => page.getByRole('heading', { level: 1, name }).waitFor();

/** Returns the open dialog, or the page: what a person can reach. */
export const getForeground = async (page: Page): Promise<Page | Locator> => {
  const dialog = page.locator('dialog[open]');
  return (await dialog.count()) > 0 ? dialog.last() : page;
};

/** Waits for the re-authentication dialog. */
export const awaitStepUp = (page: Page): Promise<void> => page.getByRole('dialog', { name: 'Confirm it’s you' }).locator('form').waitFor();

/** Fills in fields by name and submits the form with the keyboard. */
export const fillFill = async (page: Page, values: Readonly<Record<string, string>>): Promise<void> => {
  const reachable = await getForeground(page);
  for (const [name, value] of Object.entries(values)) await reachable.locator(`input[name=${name}]`).fill(value);
  await page.keyboard.press('Enter');
};
