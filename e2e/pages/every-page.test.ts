import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { buildConsolePath, CONSOLE_ROUTES, type ConsoleRoute } from '@svc/contract/tables/console-routes.ts';
import { SESSION_COOKIE } from '@svc/contract/tables/wire-name.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { axeFindings } from '@svc/testing/browser/axe.ts';
import { buildPages } from '@svc/testing/browser/build-pages.ts';
import { openChromium } from '@svc/testing/browser/chromium.ts';
import { type Browser, type Page, type TestWindow, testInWindow } from '@svc/testing/browser/window.ts';
import { sampleFew } from '@svc/testing/length/test-length.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

const RULES = [
  {
    id: 'large',
    effect: 'REQUIRE_APPROVAL',
    when: { field: 'amount', op: 'gt', value: 50_000 },
    reason: 'A person reviews large payments.',
    approval: { approver_role: 'approver', quorum: 1 },
  },
];
const TESTS = [{ name: 'a large payment', given: { amount: 60_000 }, then: { effect: 'REQUIRE_APPROVAL', rule: 'large' } }];

const PAGE_BYTES_MAX = 200_000;
const CARD_BYTES_MAX = 130_000;

/** Paths of the pages of a signed-in person, of which each is about no single object. */
const PATHS = Object.values(CONSOLE_ROUTES as Readonly<Record<string, ConsoleRoute>>)
  .filter(({ access, path, callsGateway }) => access === 'session' && !path.includes('{') && callsGateway !== true)
  .map(({ path }) => path);

let planes: Planes;
let browser: Browser | string;
let governed: Governed;
let approvalId: string;
before(async () => {
  buildPages();
  [planes, browser] = await Promise.all([leasePlanes(), openChromium()]);
  governed = await newGoverned(planes, { rules: RULES, tests: TESTS });
  const { json } = await governed.act({ amount: 60_000, currency: 'USD' });
  approvalId = json.error.details.approval_id;
});
after(async () => {
  if (typeof browser !== 'string') await browser?.close();
  await planes?.stop();
});

const withWindow = (work: (window: TestWindow) => Promise<void>) =>
  testInWindow({ browser: () => browser, look: () => ({ baseURL: planes.controlUrl }) }, work);

const enter = async ({ context }: TestWindow, url: string): Promise<void> =>
  context.addCookies([{ name: SESSION_COOKIE, value: governed.tenant.token, url }]);

const readCompressedSize = async (path: string): Promise<number> => {
  const answer = await fetch(`${planes.controlUrl}${path}`, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
  return Number(answer.headers.get('content-length'));
};

/** Opens a page without a cache and returns the compressed size of the scripts and styles that were requested until it is ready. */
const measureLoad = async (page: Page, path: string, isReady: () => Promise<void>): Promise<number> => {
  const files = new Set<string>();
  const onRequest = (request: { readonly url: () => string }): void => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/assets/')) files.add(pathname);
  };
  page.on('request', onRequest);
  await page.goto(path);
  await isReady();
  page.off('request', onRequest);
  assert.ok(files.size > 2, `${path} requested ${files.size} files`);
  const sizes = await Promise.all([...files].map(readCompressedSize));
  return sizes.reduce((sum, size) => sum + size, 0);
};

const LOADING = 'main .skeleton, main [aria-busy="true"]';

/** The policy of the pages forbids to evaluate text, so that the browser is asked again and again. */
const waitUntilGone = (page: Page, selector: string): Promise<void> =>
  waitUntil(`${selector} is gone`, async () => (await page.locator(selector).count()) === 0);

const waitUntilLoaded = async (page: Page): Promise<void> => {
  await page.locator('main h1').waitFor();
  await waitUntilGone(page, LOADING);
};

test(
  'the card of an approval loads at most 130 kB of scripts and styles until it can be decided, and every other page at most 200 kB',
  withWindow(async (window) => {
    const { page } = window;
    await enter(window, planes.controlUrl);
    const path = buildConsolePath('approval', { approvalId });
    const card = await measureLoad(page, path, () => page.getByText('A person reviews large payments.').waitFor());
    assert.ok(card <= CARD_BYTES_MAX, `the card loads ${card} bytes`);
    for (const each of sampleFew(PATHS, 5, 'pages whose scripts are measured')) {
      const bytes = await measureLoad(page, each, () => waitUntilLoaded(page));
      assert.ok(bytes <= PAGE_BYTES_MAX, `${each} loads ${bytes} bytes`);
    }
  }),
);

test(
  'a page about an object that does not exist states why, with the id of the request',
  withWindow(async (window) => {
    const { page } = window;
    await enter(window, planes.controlUrl);
    await page.goto(buildConsolePath('agent', { agentId: 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV' }));
    await page
      .getByRole('alert')
      .getByText(/^req_\w+$/)
      .waitFor();
  }),
);

test(
  'the palette has at least 40 actions, opens an object by its name and by its id, and ? shows the keys',
  withWindow(async (window) => {
    const { page } = window;
    await enter(window, planes.controlUrl);
    await page.goto(buildConsolePath('overview'));
    await waitUntilLoaded(page);
    await page.keyboard.press('Control+k');
    const options = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
    await options.first().waitFor();
    const actions = await options.filter({ hasText: /Action$|needs / }).count();
    assert.ok(actions >= 40, `${actions} actions`);
    assert.deepEqual(await axeFindings(page), []);
    await page.keyboard.type('dark col');
    await page.getByRole('option', { name: 'Use dark colours' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type(governed.agent.name);
    await page
      .getByRole('option', { name: new RegExp(governed.agent.name) })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/agents/${governed.agent.id}`);
    await page.keyboard.press('Control+k');
    await page.keyboard.type(governed.policyId);
    await page.getByRole('option', { name: governed.policyId }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/policies/${governed.policyId}`);
    await waitUntilLoaded(page);
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('Open Actions').waitFor();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.waitForURL(`**${buildConsolePath('actions')}*`);
  }),
);
