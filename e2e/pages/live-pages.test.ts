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
const VOTE_SHOWN_MS = 1_000;

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

const withWindow = (work: Parameters<typeof testInWindow>[1]) =>
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
    'that two people have open in profiles of their own show a vote on the other card at most a second after its own, with its person and time, and take no second one',
    withWindow(async (window, another) => {
      const approvalId = await hold(75_000);
      const path = `/approvals/${approvalId}`;
      const page = await enterAs(window, ann, path);
      const otherWindow = await another();
      const other = await enterAs(otherWindow, ben, path);
      for (const each of [page, other]) await each.getByRole('button', { name: /^Approve / }).waitFor();
      const answered = other.waitForResponse((response) => response.url().endsWith(`${path}/approve`));
      await other.getByLabel('Comment').fill('Checked with the customer');
      await other.getByRole('button', { name: /^Approve / }).press('Enter');
      assert.equal((await answered).status(), 200);
      const shownOn = (each: Page) =>
        each
          .getByRole('region', { name: 'History' })
          .locator('p')
          .filter({ hasText: `${ben.name} approves: Checked with the customer` });
      // A busy machine delays both pages.
      await shownOn(other).waitFor();
      const shown = shownOn(page);
      await shown.waitFor({ timeout: VOTE_SHOWN_MS });
      const votedAt = await shown.locator('time').getAttribute('datetime');
      assert.ok(Math.abs(Date.parse(votedAt ?? '') - Date.now()) < 60_000, `${votedAt}`);

      await other.getByText('You have already voted on this approval.').waitFor();
      assert.equal(await other.getByRole('button', { name: /^Approve / }).count(), 0);
      assert.equal((await vote(approvalId, ben, 'approve')).json.error.code, 'CONFLICT');
      assert.equal((await vote(approvalId, ben, 'deny')).json.error.code, 'CONFLICT');

      await page.getByRole('button', { name: /^Approve / }).press('Enter');
      await page
        .getByText(/^Approved\. /)
        .first()
        .waitFor();
    }),
  );

  test(
    'that are decided by one of two people at the same moment count one vote of each, and both cards show both',
    withWindow(async (window, another) => {
      const approvalId = await hold(76_000);
      const path = `/approvals/${approvalId}`;
      const pages = [await enterAs(window, ann, path), await enterAs(await another(), ben, path)];
      for (const page of pages) await page.getByRole('button', { name: /^Approve / }).waitFor();
      await Promise.all(pages.map((page) => page.getByRole('button', { name: /^Approve / }).press('Enter')));
      for (const page of pages)
        for (const { name } of [ann, ben])
          await page.getByRole('region', { name: 'History' }).getByText(`${name} approves`).waitFor({ timeout: LIVE_MS });
      const { json } = await call(planes.controlUrl, 'GET', `/v1/approvals/${approvalId}`, { token: ann.token });
      assert.deepEqual([json.status, json.votes.length], ['APPROVED', 2]);
    }),
  );

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
  'a draft of one person is reviewed and activated by another in a profile of their own, and the first sees who did it',
  withWindow(async ({ page, context }, another) => {
    const { organization_id } = governed.tenant;
    const author = await insertPerson(owner, organization_id, 'developer');
    const reviewer = await insertPerson(owner, organization_id, 'security', { steppedUp: true });
    const rules = [{ ...RULES[0], reason: 'Two people review large payments.' }];
    const draft = await call(planes.controlUrl, 'PATCH', `/v1/policies/${governed.policyId}`, {
      ...{ token: author.token, body: { rules, tests: TESTS } },
    });
    assert.equal(draft.status, 200, draft.text);
    const path = `/policies/${governed.policyId}/versions/2`;
    const enter = async (window: Pick<TestWindow, 'page' | 'context'>, { token }: InsertedPerson): Promise<void> => {
      await window.context.addCookies([{ name: SESSION_COOKIE, value: token, url: planes.controlUrl }]);
      await window.page.goto(path);
      await waitForTitle(window.page, 'Review v2');
    };
    await enter({ page, context }, author);
    await page
      .getByText(/You need the permission/)
      .filter({ hasText: 'policy:activate' })
      .waitFor();
    assert.equal(await page.getByRole('button', { name: /^Activate/ }).count(), 0);

    const second = await another();
    await enter(second, reviewer);
    await second.page.locator('ins').filter({ hasText: 'Two people review large payments.' }).first().waitFor();
    await second.page.locator('input[name=reason]').fill('Reviewed');
    const accept = second.page.getByRole('checkbox', { name: /^Activate with/ });
    if ((await accept.count()) > 0) await accept.check();
    await second.page.getByRole('button', { name: 'Activate v2' }).press('Enter');
    await second.page.getByText('This version is active.').waitFor();

    await page.reload();
    await page.getByText('Active', { exact: true }).first().waitFor();
    const events = await governed.owner('GET', `/v1/audit-events?type=policy.activated&subject_id=${governed.policyId}`);
    assert.equal(events.json.data[0].actor.id, reviewer.id);
  }),
);

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
