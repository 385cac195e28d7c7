import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ConsoleRouteName } from '@svc/contract/tables/console-routes.ts';
import { SESSION_COOKIE } from '@svc/contract/tables/wire-name.ts';
import { buildPages } from '@svc/testing/browser/build-pages.ts';
import { openChromium } from '@svc/testing/browser/chromium.ts';
import { type Browser, testInWindow } from '@svc/testing/browser/window.ts';
import { sample } from '@svc/testing/length/test-length.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import { type CanaryOrganization, newOrganization } from '../sweeps/canary-organization.ts';
import { EVERY_ROUTE, fillPath } from './console-pages.ts';
import { type SlowProxy, startSlowProxy } from './slow-proxy.ts';

const SHOWN_WAIT_MS = 20_000;
const RETRIES_MAX = 5;
const SAMPLED = 6;

/** Pages that read nothing when they are opened by their address alone. All others read at least what their menu shows. */
const READ_NOTHING: readonly ConsoleRouteName[] = ['signIn', 'resetPassword', 'invitation', 'cliRequest', 'stepUpRequest'];
/** The set-up page needs the token of a first start: without one its read is refused, which is an answer. */
const REFUSED: readonly ConsoleRouteName[] = ['setup'];
/** Pages whose content has alerts: the editor states findings about the policy. */
const STATES_FINDINGS: readonly ConsoleRouteName[] = ['policyEditor'];

let planes: Planes;
let browser: Browser | string;
let organization: CanaryOrganization;
let proxy: SlowProxy;
before(async () => {
  buildPages();
  [planes, browser] = await Promise.all([leasePlanes(), openChromium()]);
  organization = await newOrganization(planes, `Pages${Date.now()}`);
  proxy = await startSlowProxy(planes.controlUrl);
});
after(async () => {
  if (typeof browser !== 'string') await browser?.close();
  await proxy?.close();
  await planes?.stop();
});

describe('with a slow and a failing connection', () => {
  for (const route of sample(EVERY_ROUTE, SAMPLED, 'pages on a failing connection')) {
    const { name, path, access } = route;
    const readsNothing = READ_NOTHING.includes(name);
    test(
      readsNothing
        ? `${path} reads nothing, so that nothing fails`
        : `${path} shows that it loads, then an error with a retry, and its content after the retry`,
      testInWindow({ browser: () => browser, look: () => ({ baseURL: proxy.url }) }, async ({ context, page }) => {
        page.setDefaultTimeout(SHOWN_WAIT_MS);
        const { tenant, resources } = organization;
        if (access !== 'public') await context.addCookies([{ name: SESSION_COOKIE, value: tenant.token, url: proxy.url }]);
        proxy.setMode('hold');
        await page.goto(fillPath(route, { versionNumber: '1', ...resources }));
        await page.locator('main h1').waitFor();
        if (readsNothing) {
          assert.equal(proxy.countHeld(), 0);
          proxy.setMode('kill');
          assert.equal(await page.getByRole('alert').filter({ hasText: 'did not respond' }).count(), 0);
          return;
        }
        await waitUntil('a read is held', () => proxy.countHeld() > 0);
        assert.equal(await page.getByRole('alert').count(), 0);
        proxy.setMode('kill');
        const alert = page.getByRole('alert').filter({ hasText: 'The service did not respond' });
        const retry = page.getByRole('alert').getByRole('button', { name: 'Try again' });
        await alert.first().waitFor();
        await retry.first().waitFor();
        proxy.setMode('pass');
        for (let tries = 0; tries < RETRIES_MAX && (await alert.count()) > 0; tries += 1) {
          await retry.first().press('Enter');
          await waitUntil('the retry ended', async () => (await page.locator('[data-loading]').count()) === 0);
        }
        await waitUntil(
          'the content is shown',
          async () => (await page.locator('main .skeleton, main [aria-busy="true"]').count()) === 0 && (await alert.count()) === 0,
        );
        if (STATES_FINDINGS.includes(name)) return;
        assert.equal(await page.getByRole('alert').count(), REFUSED.includes(name) ? 1 : 0);
      }),
    );
  }
});
