import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { buildPages } from '@svc/testing/browser/build-pages.ts';
import { openChromium } from '@svc/testing/browser/chromium.ts';
import { assertPage } from '@svc/testing/browser/look-at.ts';
import { type Browser, fillFill, type Page, type TestWindow, testInWindow, waitForTitle } from '@svc/testing/browser/window.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

const over = (value: number) => ({ field: 'amount', op: 'gt', value });
const RULES = [
  { id: 'small', effect: 'ALLOW', when: { field: 'amount', op: 'lte', value: 50_000 }, reason: 'Small payments go through.' },
  { id: 'large', effect: 'REQUIRE_APPROVAL', when: over(50_000), reason: 'A person reviews large payments.' },
  { id: 'never', effect: 'BLOCK', when: over(500_000), reason: 'Payments over 5,000.00 are never made.' },
];

const TESTS = [{ name: 'a small payment', given: { amount: 1 }, then: { effect: 'ALLOW', rule: 'small' } }];

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

const withWindow = (work: (window: TestWindow) => Promise<void>) =>
  testInWindow({ browser: () => browser, look: () => ({ baseURL: planes.controlUrl }) }, work);

const signIn = async (page: Page, next: string): Promise<void> => {
  const { email, password } = governed.tenant;
  await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
  await fillFill(page, { email, password });
};

const lookInAnyColours = async (page: Page, title: string): Promise<void> => {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await assertPage(page, title);
  }
};

const pay = (amount: number) => governed.act({ amount, currency: 'USD' });

describe('the pages of actions, with the keyboard, at 400 and 1280 px, in light and dark colours,', () => {
  test(
    'list decisions by filters of the address, and explain one with its rule, conditions, distances and what would change it',
    withWindow(async ({ page }) => {
      await pay(10_000);
      await pay(900_000);
      const title = `${governed.tool.name} by ${governed.agent.name}, 9,000.00 USD`;
      await signIn(page, '/actions');
      await waitForTitle(page, 'Actions');
      await page.getByLabel('Decision').selectOption('BLOCK');
      await page.waitForURL('**/actions?decision=BLOCK');
      await page.reload();
      const row = page.getByRole('region', { name: 'Actions' }).getByRole('row').nth(1);
      await row.getByText('Payments over 5,000.00 are never made.').waitFor();
      assert.equal(await page.getByRole('region', { name: 'Actions' }).locator('tbody tr').count(), 1);
      await lookInAnyColours(page, 'Actions');
      await page.getByRole('button', { name: 'Remove filter Decision' }).click();
      await page.waitForURL('**/actions');
      await page.getByText('Small payments go through.').waitFor();

      await page.goto('/actions?decision=BLOCK');
      await page.getByRole('link', { name: governed.tool.name }).focus();
      await page.keyboard.press('Enter');
      await waitForTitle(page, title);
      const answer = page.getByRole('region', { name: 'Decision' });
      await answer.getByText('Payments over 5,000.00 are never made.').waitFor();
      assert.match(await answer.innerText(), /Rule never of .+, version 1/);
      const rules = page.getByRole('region', { name: 'Rules' });
      await rules.getByText('amount is more than 5,000.00 USD').waitFor();
      await rules.getByText('4,000.00 USD above the limit').waitFor();
      const others = page.getByRole('region', { name: 'Ways to another outcome' });
      await others.getByText('A person reviews large payments.').waitFor();
      await others.getByText('Small payments go through.').waitFor();
      await page.getByText('acts on its own grants').waitFor();
      await page.getByRole('region', { name: 'Events' }).getByRole('link', { name: 'action.blocked' }).waitFor();
      await page.getByText(/Last 30 days: 1 allowed, 1 blocked/).waitFor();
      await lookInAnyColours(page, title);

      await page.getByRole('button', { name: 'Copy as code' }).click();
      await page.getByText(/curl -X POST .+\/gateway\/v1\/actions/).waitFor();
      await page.getByRole('radio', { name: 'SDK' }).check();
      await page.getByText(/governance\.act\('/).waitFor();
    }),
  );

  test(
    'are linked from the audit event of a decision, which states its rule and amount',
    withWindow(async ({ page }) => {
      const { action_id } = (await pay(60_000)).json.error.details.decision;
      const { json } = await governed.owner('GET', `/v1/audit-events?subject_id=${action_id}&type=action.approval_required`);
      await signIn(page, `/audit/${json.data[0].id}`);
      await page.getByText('600.00 USD').waitFor();
      await page.getByRole('link', { name: 'Why' }).click();
      await page.getByRole('region', { name: 'Decision' }).getByText('A person reviews large payments.').waitFor();
      await page.getByRole('link', { name: 'Open the approval' }).click();
      await waitForTitle(page, `${governed.tool.name} by ${governed.agent.name}, 600.00 USD`);
    }),
  );
});
