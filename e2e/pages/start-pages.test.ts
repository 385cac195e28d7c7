import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { buildPages } from '@svc/testing/browser/build-pages.ts';
import { openChromium } from '@svc/testing/browser/chromium.ts';
import { assertPage } from '@svc/testing/browser/look-at.ts';
import {
  awaitStepUp,
  type Browser,
  fillFill,
  getForeground,
  type Page,
  type TestWindow,
  testInWindow,
  waitForTitle,
} from '@svc/testing/browser/window.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';

const PASSWORD = 'a long enough password';
const TITLE = 'First decision';

let planes: StartedPlanes;
let browser: Browser | string;
let sandbox: Server;
const received: string[] = [];
before(async () => {
  buildPages();
  sandbox = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((listening) => sandbox.listen(0, '127.0.0.1', listening));
  const port = await freePort();
  const env = {
    CONTROL_PLANE_PORT: String(port),
    SVC_BASE_URL: `http://127.0.0.1:${port}`,
    SVC_SANDBOX_ORIGIN: `http://127.0.0.1:${(sandbox.address() as AddressInfo).port}`,
  };
  [planes, browser] = await Promise.all([startPlanes({ env }), openChromium()]);
});
after(async () => {
  if (typeof browser !== 'string') await browser?.close();
  await planes?.stop();
  sandbox?.close();
});

const withWindow = (work: (window: TestWindow) => Promise<void>) =>
  testInWindow({ browser: () => browser, look: () => ({ baseURL: planes.controlUrl }) }, work);

/** Reaches a control with Tab only, from where the keyboard is, and presses Enter. */
const pressWithKeys = async (page: Page, role: 'button' | 'link', name: string | RegExp): Promise<void> => {
  const target = (await getForeground(page)).getByRole(role, { name, exact: typeof name === 'string' });
  await target.waitFor();
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((node) => node === node.ownerDocument.activeElement)) return page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
  }
  throw new Error(`no key reaches ${name}`);
};

describe('the first decision', () => {
  test(
    'leads from the set-up link to an approved action and its explanation, with the keyboard, and sends no private key',
    withWindow(async ({ page }) => {
      const sent: string[] = [];
      page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
      await page.goto(planes.setupUrl ?? '');
      await fillFill(page, { organizationName: 'Acme', name: 'Ada', email: 'ada@example.com', password: PASSWORD });
      await waitForTitle(page, 'Your organization is ready');
      await pressWithKeys(page, 'link', 'Make a first decision');
      await assertPage(page, TITLE);

      await pressWithKeys(page, 'button', 'Create agent');
      await page.getByRole('heading', { name: 'Choose a policy (current step)' }).waitFor();
      const download = page.waitForEvent('download');
      await pressWithKeys(page, 'link', 'Download refund-bot.key');
      const file = await (await download).path();
      const privateKey = readFileSync(file, 'utf8');
      assert.match(privateKey, /^MC4CAQAw/);
      await assertPage(page, TITLE);

      await pressWithKeys(page, 'button', 'Activate policy');
      await awaitStepUp(page);
      await fillFill(page, { password: PASSWORD });
      await page.getByRole('button', { name: 'Request 20.00 USD' }).waitFor();
      await pressWithKeys(page, 'button', 'Request 20.00 USD');
      await page.getByRole('heading', { name: 'Request something that needs approval (current step)' }).waitFor();
      assert.deepEqual(received, ['POST /refunds']);
      await assertPage(page, TITLE);

      await page.reload();
      await waitForTitle(page, TITLE);
      await page.getByLabel('Private key of refund-bot').setInputFiles(file);
      await pressWithKeys(page, 'button', 'Request 900.00 USD');
      await page.getByRole('heading', { name: 'Approve it (current step)' }).waitFor();
      await page.getByRole('radio', { name: 'svc' }).check();
      await page.getByText(/svc approvals approve apr_/).waitFor();
      await pressWithKeys(page, 'button', 'Approve');
      await pressWithKeys(page, 'button', 'Request again with the approval');
      await page.getByText('one held and approved').waitFor();
      assert.deepEqual(received, ['POST /refunds', 'POST /refunds']);
      await assertPage(page, TITLE);

      await pressWithKeys(page, 'link', 'See why the approved action ran');
      await waitForTitle(page, 'refund.create by refund-bot, 900.00 USD');
      await page.getByRole('region', { name: 'Decision' }).getByText('Refunds over 500.00 require approval.').waitFor();
      assert.ok(sent.some((text) => text.startsWith(`${planes.gatewayUrl}/gateway/v1/actions`)));
      assert.deepEqual(
        sent.filter((text) => text.includes(privateKey)),
        [],
      );
    }),
  );

  test(
    'is opened from the palette as a document of its own, and can be skipped',
    withWindow(async ({ page }) => {
      await page.goto('/sign-in?next=/overview');
      await fillFill(page, { email: 'ada@example.com', password: PASSWORD });
      await waitForTitle(page, 'Overview');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Page, action, name or id' }).fill('First dec');
      await page.getByRole('option', { name: TITLE }).waitFor();
      const policy = page.waitForResponse((response) => new URL(response.url()).pathname === '/start');
      await page.keyboard.press('Enter');
      const answer = await policy;
      assert.match(answer.headers()['content-security-policy'] ?? '', new RegExp(`connect-src 'self' ${planes.gatewayUrl};`));
      await waitForTitle(page, TITLE);
      await pressWithKeys(page, 'link', 'Skip');
      await waitForTitle(page, 'Overview');
    }),
  );
});

describe('the gateway', () => {
  const ask = (path: string, method: string, origin: string, headers: Record<string, string> = {}) =>
    fetch(`${planes.gatewayUrl}${path}`, { method, headers: { origin, ...headers } });
  const allowedOrigin = (response: Response) => response.headers.get('access-control-allow-origin');

  test('lets pages of the console read decisions, without cookies, and no other origin or endpoint', async () => {
    const own = planes.controlUrl;
    const preflight = await ask('/gateway/v1/actions', 'OPTIONS', own, { 'access-control-request-method': 'POST' });
    assert.deepEqual([preflight.status, allowedOrigin(preflight)], [204, own]);
    assert.equal(preflight.headers.get('access-control-allow-methods'), 'POST');
    assert.equal(preflight.headers.get('access-control-allow-credentials'), null);
    assert.equal(allowedOrigin(await ask('/.well-known/svc-platform-key', 'GET', own)), own);
    const refused = await ask('/gateway/v1/actions', 'POST', own);
    assert.deepEqual([refused.status, allowedOrigin(refused)], [401, own]);
    for (const origin of ['https://attacker.example', 'null', `${own}.attacker.example`, own.replace('http:', 'https:')]) {
      const other = await ask('/gateway/v1/actions', 'OPTIONS', origin);
      assert.deepEqual([allowedOrigin(other), other.headers.get('vary')], [null, 'origin'], origin);
    }
    for (const path of ['/gateway/v1/delegations', '/gateway/v1/mcp', '/gateway/v1/logout'])
      assert.equal(allowedOrigin(await ask(path, 'OPTIONS', own)), null, path);
  });

  test('is named in the policy of the page that acts as an agent, and of no other page', async () => {
    const readPolicy = async (path: string) => (await fetch(`${planes.controlUrl}${path}`)).headers.get('content-security-policy') ?? '';
    assert.ok((await readPolicy('/start')).includes(planes.gatewayUrl));
    for (const path of ['/sign-in', '/overview', '/agents/new']) assert.ok(!(await readPolicy(path)).includes(planes.gatewayUrl), path);
  });
});
