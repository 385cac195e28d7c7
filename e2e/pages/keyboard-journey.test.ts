import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { buildPages } from '@svc/testing/browser/build-pages.ts';
import { openChromium } from '@svc/testing/browser/chromium.ts';
import {
  awaitStepUp,
  type Browser,
  getForeground,
  type Locator,
  type Page,
  testInWindow,
  waitForTitle,
} from '@svc/testing/browser/window.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

const over = (value: number) => ({ field: 'amount', op: 'gt', value });
const RULES = [
  { id: 'small', effect: 'ALLOW', when: { field: 'amount', op: 'lte', value: 50_000 }, reason: 'Small payments go through.' },
  { id: 'never', effect: 'BLOCK', when: over(50_000), reason: 'Payments over 500.00 are never made.' },
];
const TESTS = [{ name: 'a small payment', given: { amount: 1 }, then: { effect: 'ALLOW', rule: 'small' } }];
const TABS_MAX = 200;

let planes: Planes;
let browser: Browser | string;
let governed: Governed;
before(async () => {
  buildPages();
  [planes, browser] = await Promise.all([leasePlanes(), openChromium()]);
  governed = await newGoverned(planes, { rules: RULES, tests: TESTS });
});
after(async () => {
  if (typeof browser !== 'string') await browser?.close();
  await planes?.stop();
});

/** Moves the focus to a control with the Tab key alone. */
const reach = async (page: Page, target: Locator, name: string): Promise<void> => {
  await target.waitFor();
  for (let presses = 0; presses < TABS_MAX; presses += 1) {
    if (await target.evaluate((node) => node === node.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`no key reaches ${name}`);
};

const follow = async (page: Page, role: 'link' | 'button', name: string | RegExp): Promise<void> => {
  const target = (await getForeground(page)).getByRole(role, { name, exact: typeof name === 'string' }).first();
  await reach(page, target, String(name));
  await page.keyboard.press('Enter');
};

const replaceText = async (page: Page, field: Locator, text: string): Promise<void> => {
  await reach(page, field, text);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
};

test(
  'a blocked action leads to its rule, and to a changed rule in force, with the keyboard alone',
  testInWindow({ browser: () => browser, look: () => ({ baseURL: planes.controlUrl }) }, async ({ page }) => {
    const pay = (): Promise<{ readonly json: { readonly error?: { readonly code: string } } }> =>
      governed.act({ amount: 60_000, currency: 'USD' });
    assert.equal((await pay()).json.error?.code, 'ACTION_BLOCKED');
    const { email, password } = governed.tenant;
    await page.goto('/sign-in?next=/overview');
    await replaceText(page, page.getByLabel('E-mail address'), email);
    await replaceText(page, page.locator('input[name=password]'), password);
    await page.keyboard.press('Enter');
    await waitForTitle(page, 'Overview');
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await waitForTitle(page, 'Actions');
    await follow(page, 'link', governed.tool.name);
    await page.getByRole('region', { name: 'Decision' }).getByText('Payments over 500.00 are never made.').waitFor();
    await follow(page, 'link', 'Edit the policy');
    await waitForTitle(page, 'Edit policy');
    for (const rule of ['small', 'never'])
      await replaceText(
        page,
        page
          .getByRole('region', { name: `Rule ${rule}` })
          .getByLabel('Value', { exact: true })
          .last(),
        '700',
      );
    await page.getByText('1 test passes.').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByRole('status').filter({ hasText: 'Saved as version 2, a draft.' }).first().waitFor();
    await follow(page, 'link', 'Review v2');
    await waitForTitle(page, 'Review v2');
    await replaceText(page, page.locator('input[name=reason]'), 'Larger payments are agreed');
    const accept = page.getByRole('checkbox', { name: /^Activate with/ });
    if ((await accept.count()) > 0) {
      await reach(page, accept, 'the warnings');
      await page.keyboard.press('Space');
    }
    await follow(page, 'button', 'Activate v2');
    await awaitStepUp(page);
    await replaceText(page, page.getByRole('dialog').locator('input[name=password]'), password);
    await page.keyboard.press('Enter');
    await page.getByText('This version is active.').waitFor();
    assert.equal((await pay()).json.error, undefined);
  }),
);
