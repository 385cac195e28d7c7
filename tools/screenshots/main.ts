import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bearerTransport, createControlClient } from '@svc/client/client.ts';
import { CONSOLE_ROUTES, type ConsoleRoute } from '@svc/contract/tables/console-routes.ts';
import { openChromium } from '@svc/testing/browser/chromium.ts';
import { type Browser, fillFill, type Page, waitForTitle } from '@svc/testing/browser/window.ts';
import { launchService } from '@svc/testing/processes/launch-service.ts';
import { getExamplePaths } from './example-paths.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../.cache/screenshots');
const WIDTHS = { desk: 1440, phone: 390 } as const;
const HEIGHT = 900;
const SETTLED_MS = 700;

type Demo = { readonly controlUrl: string; readonly email: string; readonly password: string };

const readDemo = (dataDir: string): Demo => JSON.parse(readFileSync(path.join(dataDir, 'demo.json'), 'utf8')) as Demo;

/** Waits until the requests of a page are answered and its skeletons are gone. */
const settle = async (page: Page): Promise<void> => {
  await page.locator('h1').first().waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  // Streams stay open, so that the network never becomes idle.
  await page.waitForTimeout(SETTLED_MS);
};

const shoot = async (browser: Browser, demo: Demo, paths: ReadonlyMap<string, string>): Promise<void> => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [device, width] of Object.entries(WIDTHS)) {
      const context = await browser.newContext({ baseURL: demo.controlUrl, colorScheme, viewport: { width, height: HEIGHT } });
      const page = await context.newPage();
      await page.goto('/sign-in?next=/overview');
      await fillFill(page, { email: demo.email, password: demo.password });
      await waitForTitle(page, 'Overview');
      for (const [name, address] of paths) {
        await page.goto(address);
        await settle(page);
        await page.screenshot({ path: path.join(FOLDER, `${name}-${device}-${colorScheme}.png`), fullPage: true });
      }
      await context.close();
    }
  }
};

const isWanted = (name: string, wanted: readonly string[]): boolean => wanted.length === 0 || wanted.includes(name);

/**
 * Takes screenshots of the pages with the demo data, in both colour schemes and two widths. Arguments name pages; without any, all are
 * taken.
 */
const takeScreenshots = async (demo: Demo, wanted: readonly string[]): Promise<void> => {
  const browser = await openChromium();
  if (typeof browser === 'string') throw new Error(browser);
  const login = await createControlClient({ transport: bearerTransport({ url: demo.controlUrl }) }).login({
    body: { email: demo.email, password: demo.password },
  });
  const token = 'token' in login ? (login.token ?? '') : '';
  const client = createControlClient({ transport: bearerTransport({ url: demo.controlUrl, token }) });
  const examples = await getExamplePaths(client);
  const own = Object.entries(CONSOLE_ROUTES as Readonly<Record<string, ConsoleRoute>>).flatMap(([name, { path: address, access }]) =>
    access === 'session' && !address.includes('{') ? [[name, address] as const] : [],
  );
  const paths = new Map([...own, ...examples].filter(([name]) => isWanted(name, wanted)));
  mkdirSync(FOLDER, { recursive: true });
  await shoot(browser, demo, paths);
  await browser.close();
  process.stdout.write(`${paths.size} pages in ${FOLDER}\n`);
};

const wanted = process.argv.slice(2);
const running = process.env.DATA_DIR;
if (running !== undefined) await takeScreenshots(readDemo(running), wanted);
else {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'svc-screenshots-'));
  const main = path.resolve(import.meta.dirname, '../../apps/launcher/src/main.ts');
  const service = await launchService({ dataDir, env: {}, command: [process.execPath, main, '--demo'], until: "Agents' keys" });
  try {
    await takeScreenshots(readDemo(dataDir), wanted);
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
