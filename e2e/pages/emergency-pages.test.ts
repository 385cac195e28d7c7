import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
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
import { type SignedUp, signUp } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let browser: Browser | string;
let governed: Governed;
before(async () => {
  buildPages();
  [planes, browser] = await Promise.all([leasePlanes(), openChromium()]);
  governed = await newGoverned(planes);
});
after(async () => {
  if (typeof browser !== 'string') await browser?.close();
  await planes?.stop();
});

const withWindows = (work: (window: TestWindow, another: () => Promise<TestWindow>) => Promise<void>) =>
  testInWindow({ browser: () => browser, look: () => ({ baseURL: planes.controlUrl }) }, work);

type Person = Pick<SignedUp, 'email' | 'password'>;

const enterPage = async (page: Page, next: string, { email, password }: Person = governed.tenant): Promise<void> => {
  await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
  await fillFill(page, { email, password });
};

const press = async (page: Page, name: string | RegExp): Promise<void> => {
  await (await getForeground(page)).getByRole('button', { name }).first().focus();
  await page.keyboard.press('Enter');
};

const says = (page: Page, text: string | RegExp): Promise<void> => page.getByRole('status').filter({ hasText: text }).first().waitFor();

const write = async (sql: string, values: readonly unknown[]): Promise<void> => {
  const client = await planes.database.client();
  await client.query(sql, [...values]);
  await client.end();
};

/** A viewer of the organization. */
const newViewer = async (): Promise<SignedUp> => {
  const person = await signUp(planes.controlUrl);
  const { organization_id } = governed.tenant;
  await write('update members set organization_id = $1, role_id = $2 where user_id = $3', [
    organization_id,
    getBuiltInRole('viewer').id,
    person.user.id,
  ]);
  return person;
};

/** Lets the sessions of a person count as opened with a second factor. */
const countFactor = ({ user }: SignedUp): Promise<void> =>
  write("update sessions set organization_id = $1, amr = array['PASSWORD', 'TOTP'] where user_id = $2", [
    governed.tenant.organization_id,
    user.id,
  ]);

const lookAround = async (page: Page, title: string): Promise<void> => {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await assertPage(page, title);
  }
};

const confirm = async (page: Page, { password }: Person): Promise<void> => {
  await awaitStepUp(page);
  await fillFill(page, { password });
};

const request = async (page: Page, reason: string, purpose: 'real' | 'drill'): Promise<void> => {
  await page.locator('input[name=reason]').fill(reason);
  await page.locator('input[name=minutes]').fill('10');
  await page.getByLabel('Purpose').selectOption(purpose);
  await press(page, 'Request access');
};

describe('the pages of emergency access, with the keyboard, at 400 and 1280 px, in light and dark colours,', () => {
  test(
    'let a member request access, another person approve it, the member act and end it, and show what was changed',
    withWindows(async ({ page }, another) => {
      const viewer = await newViewer();
      await enterPage(page, buildConsolePath('overview'), viewer);
      await waitForTitle(page, 'Overview');
      await page.keyboard.press('!');
      await waitForTitle(page, 'Emergency');
      await page.getByRole('link', { name: 'Break-glass access' }).click();
      await waitForTitle(page, 'Break-glass access');
      await page.getByText('Sign in with a second factor to request access.').waitFor();
      await page.getByText('No one requested break-glass access.').waitFor();
      await page.getByText('organization:update').waitFor();
      await lookAround(page, 'Break-glass access');
      await countFactor(viewer);
      await page.reload();
      await page.getByText('Another person who may execute emergency controls approves it').waitFor();
      await request(page, 'The payments agent loops', 'real');
      await confirm(page, viewer);
      await says(page, 'Your request waits for a second person.');
      await lookAround(page, 'Break-glass access');
      await page.getByRole('link', { name: 'The payments agent loops' }).click();
      await waitForTitle(page, 'The payments agent loops');
      assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0, 'no one approves their own request');
      await page.getByRole('button', { name: 'Withdraw' }).waitFor();
      const address = page.url();

      const { page: second } = await another();
      await enterPage(second, new URL(address).pathname);
      await waitForTitle(second, 'The payments agent loops');
      await lookAround(second, 'The payments agent loops');
      await press(second, 'Approve');
      await fillFill(second, { reason: 'Go.' });
      await confirm(second, governed.tenant);
      await says(second, 'The access is active.');
      await second.getByText('s after the request').waitFor();

      await page.reload();
      await page.getByText('Active', { exact: true }).waitFor();
      await page.goto(buildConsolePath('agent', { agentId: governed.agent.id }));
      await press(page, /^Suspend/);
      await fillFill(page, { reason: 'It loops.' });
      await says(page, /Suspended/);
      await page.goto(address);
      await page.getByRole('region', { name: 'Report' }).getByText('agent.suspended').first().waitFor();
      await lookAround(page, 'The payments agent loops');
      await press(page, 'End access');
      await fillFill(page, { reason: 'Done.' });
      await says(page, 'The access ended.');
    }),
  );

  test(
    'change the rule with a step-up, and practise access without a permission or an incident',
    withWindows(async ({ page }) => {
      await enterPage(page, buildConsolePath('breakGlass'));
      await waitForTitle(page, 'Break-glass access');
      await press(page, 'Change rule');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Rule').selectOption('SELF_WITH_NOTICE');
      await assertPage(page, 'Break-glass access');
      await dialog.locator('input[name=reason]').fill('We are two.');
      await dialog.getByRole('button', { name: 'Change rule' }).click();
      await confirm(page, governed.tenant);
      await says(page, 'The rule is changed: The member alone');
      const viewer = await newViewer();
      await page.context().clearCookies();
      await enterPage(page, buildConsolePath('breakGlass'), viewer);
      await waitForTitle(page, 'Break-glass access');
      await countFactor(viewer);
      await page.reload();
      await page.getByText('It is active at once.').waitFor();
      await request(page, 'Practice', 'drill');
      await confirm(page, viewer);
      await says(page, 'The drill is completed. No permission was given.');
      await page.getByRole('link', { name: 'Practice (drill)' }).waitFor();
      await request(page, 'The night watch is alone', 'real');
      await says(page, 'Your access is active.');
      await page.getByRole('link', { name: 'The night watch is alone' }).click();
      await waitForTitle(page, 'The night watch is alone');
      await page.getByText('No one yet').waitFor();
      await page.getByText('Nothing was changed under this grant.').waitFor();
      await lookAround(page, 'The night watch is alone');
    }),
  );
});
