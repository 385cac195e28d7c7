import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openChromium } from '@svc/testing/browser/chromium.ts';
import { type Browser, fillFill, type Page, waitForTitle } from '@svc/testing/browser/window.ts';
import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { launchService } from '@svc/testing/processes/launch-service.ts';

/**
 * npm run bench -- console
 *
 * Does five tasks of a new user in the console with the demo data, from the overview and by what the pages show, and prints the seconds of
 * each. A script does not read, so these are lower bounds of what people take. Exits with 1 if one takes longer than people may.
 */
endOnOtherWords(
  `Measures five tasks of a new user in the console:

    npm run bench -- console`,
  /^$/,
);

type Demo = { readonly controlUrl: string; readonly email: string; readonly password: string };
type Task = {
  readonly name: string;
  readonly secondsMax: number;
  readonly isPhone?: boolean;
  readonly work: (page: Page, demo: Demo) => Promise<void>;
};

const openPage = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('link', { name, exact: true }).first().click();
  await waitForTitle(page, name);
};

const TASKS: readonly Task[] = [
  {
    name: 'find why an action was blocked',
    secondsMax: 60,
    work: async (page) => {
      await openPage(page, 'Actions');
      await page.getByLabel('Decision').first().selectOption({ label: 'Blocked' });
      await page.waitForURL('**decision=BLOCK**');
      await page.locator('tbody tr').filter({ hasText: 'Blocked' }).first().getByRole('link').first().click();
      await page.getByRole('region', { name: 'Decision' }).getByText('Blocked', { exact: true }).waitFor();
    },
  },
  {
    name: 'approve a held action on a phone',
    secondsMax: 45,
    isPhone: true,
    work: async (page) => {
      await openPage(page, 'Approvals');
      await page.locator('main a[href*="/approvals/apr_"]').first().click();
      await page.getByRole('button', { name: /^Approve / }).click();
      await page.getByText(/^Approved\./).waitFor();
    },
  },
  {
    name: 'loosen a limit and see whom it affects before activating',
    secondsMax: 240,
    work: async (page) => {
      await openPage(page, 'Policies');
      await openPage(page, 'Refunds');
      await page.getByRole('link', { name: 'Edit', exact: true }).click();
      for (const rule of ['refunds-small', 'refunds-large'])
        await page
          .getByRole('region', { name: `Rule ${rule}` })
          .getByLabel('Value', { exact: true })
          .last()
          .fill('700');
      await page.getByRole('button', { name: 'Save draft' }).click();
      await page.getByRole('link', { name: /^Review v/ }).click();
      await page
        .getByRole('region', { name: 'Replay' })
        .getByText(/newly allowed/)
        .waitFor();
    },
  },
  {
    name: 'connect a new agent',
    secondsMax: 300,
    work: async (page) => {
      await openPage(page, 'Agents');
      await page.getByRole('link', { name: 'New agent' }).first().click();
      await page.locator('input[name=name]').fill('new-bot');
      await page.locator('input[name=capabilities]').fill('payments.refund');
      await page.getByRole('button', { name: 'Register' }).click();
      await page.locator('.secret').waitFor();
    },
  },
  {
    name: 'find who may approve refunds',
    secondsMax: 60,
    work: async (page) => {
      await openPage(page, 'Approvals');
      await page.locator('main a[href*="/approvals/apr_"]').first().click();
      await page.getByRole('region', { name: 'Who may decide' }).getByText('Olive Owner').waitFor();
    },
  },
];

const run = async (browser: Browser, demo: Demo, { isPhone = false, work }: Task): Promise<number> => {
  const viewport = isPhone ? { width: 390, height: 844 } : { width: 1440, height: 900 };
  const context = await browser.newContext({ baseURL: demo.controlUrl, viewport });
  const page = await context.newPage();
  await page.goto('/sign-in?next=/overview');
  await fillFill(page, { email: demo.email, password: demo.password });
  await waitForTitle(page, 'Overview');
  const startedAt = performance.now();
  await work(page, demo);
  await context.close();
  return (performance.now() - startedAt) / 1_000;
};

const browser = await openChromium();
if (typeof browser === 'string') throw new Error(browser);
const dataDir = mkdtempSync(path.join(tmpdir(), 'svc-console-tasks-'));
const main = path.resolve(import.meta.dirname, '../../../apps/launcher/src/main.ts');
const service = await launchService({ dataDir, command: [process.execPath, main, '--demo'], until: "Agents' keys" });
try {
  const demo = JSON.parse(readFileSync(path.join(dataDir, 'demo.json'), 'utf8')) as Demo;
  // The approval is found before it is decided.
  for (const task of TASKS.toSorted((one, other) => Number(one.isPhone === true) - Number(other.isPhone === true))) {
    const seconds = await run(browser, demo, task);
    process.stdout.write(`${seconds.toFixed(1).padStart(6)} s of ${String(task.secondsMax).padStart(3)} s  ${task.name}\n`);
    if (seconds > task.secondsMax) process.exitCode = 1;
  }
} finally {
  await browser.close();
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
