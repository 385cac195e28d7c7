import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SESSION_COOKIE } from '@svc/contract/tables/wire-name.ts';
import { axeFindings } from '@svc/testing/browser/axe.ts';
import { buildPages } from '@svc/testing/browser/build-pages.ts';
import { openChromium } from '@svc/testing/browser/chromium.ts';
import { type Browser, type Page, testInWindow } from '@svc/testing/browser/window.ts';
import { sample } from '@svc/testing/length/test-length.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import { type CanaryOrganization, newOrganization } from '../sweeps/canary-organization.ts';
import { EVERY_ROUTE, fillPath } from './console-pages.ts';

const WIDTHS = [1440, 390] as const;
const SCHEMES = ['light', 'dark'] as const;
const HEIGHT = 900;
const SAMPLED = 4;
const DIALOGS_MAX = 4;

let planes: Planes;
let browser: Browser | string;
let organization: CanaryOrganization;
before(async () => {
  buildPages();
  [planes, browser] = await Promise.all([leasePlanes(), openChromium()]);
  organization = await newOrganization(planes, `Access${Date.now()}`);
});
after(async () => {
  if (typeof browser !== 'string') await browser?.close();
  await planes?.stop();
});

const waitUntilLoaded = async (page: Page): Promise<void> => {
  await page.locator('main h1').waitFor();
  await waitUntil('the content is shown', async () => (await page.locator('main .skeleton, main [aria-busy="true"]').count()) === 0);
};

/** Examines each dialog that the page opens. */
const examineDialogs = async (page: Page, path: string): Promise<void> => {
  const openers = page.locator('main button[aria-haspopup="dialog"]:visible');
  for (let at = 0; at < Math.min(DIALOGS_MAX, await openers.count()); at += 1) {
    await openers.nth(at).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await waitUntil('the dialog is loaded', async () => (await page.locator('dialog .skeleton').count()) === 0);
    assert.deepEqual(await axeFindings(page), [], `${path} with ${await dialog.locator('h2').first().innerText()}`);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
};

describe('WCAG 2.2, levels A and AA', () => {
  for (const route of sample(EVERY_ROUTE, SAMPLED, 'pages that axe examines'))
    test(
      `${route.path} has no finding in either colours at ${WIDTHS.join(' and ')} px, also with the dialogs that it opens, and does not scroll sideways`,
      testInWindow({ browser: () => browser, look: () => ({ baseURL: planes.controlUrl }) }, async ({ context, page }) => {
        const { tenant, resources } = organization;
        if (route.access !== 'public') await context.addCookies([{ name: SESSION_COOKIE, value: tenant.token, url: planes.controlUrl }]);
        await page.goto(fillPath(route, { versionNumber: '1', ...resources }));
        await waitUntilLoaded(page);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: HEIGHT });
          for (const colorScheme of SCHEMES) {
            await page.emulateMedia({ colorScheme });
            assert.deepEqual(await axeFindings(page), [], `${route.path} at ${width} px, ${colorScheme}`);
          }
          assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width, `${route.path} scrolls at ${width} px`);
        }
        await examineDialogs(page, route.path);
      }),
    );
});
