import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SESSION_COOKIE } from '@svc/contract/tables/wire-name.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { buildPages } from '@svc/testing/browser/build-pages.ts';
import { openChromium } from '@svc/testing/browser/chromium.ts';
import { assertPage } from '@svc/testing/browser/look-at.ts';
import { type Browser, fillFill, type Page, type TestWindow, testInWindow, waitForTitle } from '@svc/testing/browser/window.ts';
import { call } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { type InsertedPerson, insertPerson } from '@svc/testing/records/insert-person.ts';
import type pg from 'pg';

const RULES = [
  {
    id: 'large',
    effect: 'REQUIRE_APPROVAL',
    when: { field: 'amount', op: 'gt', value: 50_000 },
    reason: 'A person reviews large payments.',
    approval: { approver_role: 'approver', quorum: 2 },
  },
];
const TESTS = [{ name: 'a large payment', given: { amount: 60_000 }, then: { effect: 'REQUIRE_APPROVAL', rule: 'large' } }];
/** Far below the pages' own polling interval, which a page without a stream would wait for. */
const LIVE_MS = 3_000;

let planes: Planes;
let browser: Browser | string;
let governed: Governed;
let owner: pg.Client;
let ann: InsertedPerson;
let ben: InsertedPerson;
before(async () => {
  buildPages();
  [planes, browser] = await Promise.all([leasePlanes(), openChromium()]);
  owner = await planes.database.client();
  governed = await newGoverned(planes, { rules: RULES, tests: TESTS });
  const { organization_id } = governed.tenant;
  ann = await insertPerson(owner, organization_id, 'approver');
  ben = await insertPerson(owner, organization_id, 'approver');
});
after(async () => {
  if (typeof browser !== 'string') await browser?.close();
  await owner?.end();
  await planes?.stop();
});

const withWindow = (work: (window: TestWindow) => Promise<void>) =>
  testInWindow({ browser: () => browser, look: () => ({ baseURL: planes.controlUrl }) }, work);

const hold = async (amount: number): Promise<string> => {
  const { json } = await governed.act({ amount, currency: 'USD' });
  return json.error.details.approval_id;
};

const vote = (approvalId: string, by: InsertedPerson, how: 'approve' | 'deny') =>
  call(planes.controlUrl, 'POST', `/v1/approvals/${approvalId}/${how}`, {
    token: by.token,
    body: how === 'deny' ? { reason: 'Not this one.' } : {},
  });

const enterAs = async ({ context, page }: TestWindow, { token }: InsertedPerson, path: string): Promise<Page> => {
  await context.addCookies([{ name: SESSION_COOKIE, value: token, url: planes.controlUrl }]);
  const streaming = page.waitForResponse((response) => new URL(response.url()).pathname === '/v1/approvals/stream');
  await page.goto(path);
  assert.equal((await streaming).status(), 200);
  return page;
};

describe('approvals, without polling,', () => {
  test(
    'appear in the list of an approver, who cannot read the record, as they are requested',
    withWindow(async (window) => {
      const page = await enterAs(window, ann, '/approvals');
      await waitForTitle(page, 'Approvals');
      await hold(70_000);
      await page.getByText('700.00 USD').waitFor({ timeout: LIVE_MS });
    }),
  );

  test(
    'show the vote of another person on an open card, and who decided, and keep what was entered',
    withWindow(async (window) => {
      const approvalId = await hold(80_000);
      const page = await enterAs(window, ann, `/approvals/${approvalId}`);
      await page.getByLabel('Comment').fill('Looks right');
      assert.equal((await vote(approvalId, ben, 'approve')).status, 200);
      const history = page.getByRole('region', { name: 'History' });
      await history.getByText(`${ben.name} approves`).waitFor({ timeout: LIVE_MS });
      assert.equal(await page.getByLabel('Comment').inputValue(), 'Looks right');
      await assertPage(page, `${governed.tool.name} by ${governed.agent.name}, 800.00 USD`);

      const denied = await hold(81_000);
      await page.goto(`/approvals/${denied}`);
      await page.getByLabel('Comment').waitFor();
      assert.equal((await vote(denied, ben, 'deny')).status, 200);
      await page
        .getByRole('status')
        .filter({ hasText: new RegExp(`^Denied by ${ben.name} `) })
        .waitFor({ timeout: LIVE_MS });
    }),
  );

  test(
    'are decided after the session ended, in the same page, by the same person',
    withWindow(async ({ page, context }) => {
      const { email, password } = governed.tenant;
      const approvalId = await hold(90_000);
      await page.goto(`/sign-in?next=/approvals/${approvalId}`);
      await fillFill(page, { email, password });
      await page.getByRole('button', { name: 'Deny' }).click();
      const form = page.getByRole('dialog', { name: 'Deny' });
      await form.getByLabel('Reason to deny').fill('The customer cancelled');
      await context.clearCookies();
      await form.getByRole('button', { name: 'Deny' }).click();
      const dialog = page.getByRole('dialog', { name: 'Your session ended' });
      await dialog.waitFor();
      const opened = context.waitForEvent('page');
      await dialog.getByRole('link', { name: 'Sign in' }).click();
      const tab = await opened;
      await fillFill(tab, { email, password });
      await waitForTitle(tab, 'Overview');
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('region', { name: 'History' }).getByText('The customer cancelled').waitFor();
    }),
  );
});

test(
  'the foot of a page shows its requests as curl, as a command and as code',
  withWindow(async ({ page }) => {
    const { email, password } = governed.tenant;
    await page.goto('/sign-in?next=/agents?status=ACTIVE');
    await fillFill(page, { email, password });
    await waitForTitle(page, 'Agents');
    await page.getByRole('button', { name: 'API and CLI' }).press('Enter');
    const call = page.getByRole('region', { name: 'listAgents' });
    await call.getByText(`curl '${planes.controlUrl}/v1/agents?`).waitFor();
    await call.getByRole('radio', { name: 'svc' }).check();
    await call.getByText(/^svc agents list .*--status ACTIVE/).waitFor();
    await assertPage(page, 'Agents');
  }),
);
