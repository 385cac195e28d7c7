import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
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
import { longOnly, sampleFew } from '@svc/testing/length/test-length.ts';
import { call } from '@svc/testing/people/client.ts';
import { getInvitationCode } from '@svc/testing/people/mails-to.ts';
import { computeTotpCode, forgetSteps, stepUpAndEnrol } from '@svc/testing/people/second-factors.ts';
import { getSetupToken } from '@svc/testing/people/setup-token.ts';
import { newTenant, type SignedUp, signUp } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { insertNotification } from '@svc/testing/records/insert-notification.ts';
import { insertMember } from '@svc/testing/records/insert-person.ts';
import { insertSso } from '@svc/testing/records/insert-sso.ts';
import type pg from 'pg';

let planes: StartedPlanes;
let owner: pg.Client;
let browser: Browser | string;
before(async () => {
  buildPages();
  planes = await startPlanes({ gateways: 1 });
  owner = await planes.database.client();
  browser = await openChromium();
});
after(async () => {
  if (typeof browser !== 'string') await browser?.close();
  await owner?.end();
  await planes?.stop();
});

const withWindow = (work: (window: TestWindow, another: () => Promise<TestWindow>) => Promise<void>) =>
  testInWindow({ browser: () => browser, look: () => ({ baseURL: planes.controlUrl }) }, work);

const signIn = async (page: Page, { email, password }: Pick<SignedUp, 'email' | 'password'>, next = '/me/profile'): Promise<void> => {
  await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
  await fillFill(page, { email, password });
};

/** Presses a control with the keyboard, from the current focus. */
const press = async (page: Page, name: string | RegExp): Promise<void> => {
  await (await getForeground(page)).getByRole('button', { name, exact: true }).focus();
  await page.keyboard.press('Enter');
};

const getText = (page: Page): Promise<string> => page.getByRole('main').innerText();
const says = (page: Page, text: string): Promise<void> => page.getByRole('status').filter({ hasText: text }).waitFor();
const sessionStatus = async (token: string): Promise<number> =>
  (await call(planes.controlUrl, 'GET', '/v1/auth/session', { token })).status;

const DRAWN_WITHIN_MS = 60_000;
const PASSWORD = 'correct horse battery staple';
const HELD = [
  {
    id: 'held',
    effect: 'REQUIRE_APPROVAL',
    approval: { approver_role: 'approver', quorum: 1, expires_in_seconds: 3600 },
    reason: 'A person looks.',
  },
];

const PAGES = [
  'the page behind the set-up link',
  'what nobody has to be signed in for',
  'a page of whoever is signed in, with the keyboard, at 400 and 1280 px,',
  'a team, by its pages alone,',
];
const tried = sampleFew(PAGES, 1, 'own pages');
const some = (title: string, tests: () => void) => describe(title, tried.includes(title) ? {} : longOnly, tests);

some('the page behind the set-up link', () => {
  test(
    'creates the first organization, sends no server the secret of its link, and names the next steps as the first guide does',
    withWindow(async ({ page }) => {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url(), JSON.stringify(request.headers())));
      await page.goto(planes.setupUrl ?? '');
      await assertPage(page, 'Create your organization');
      await fillFill(page, { organizationName: 'Acme', name: 'Ada', email: 'ada@example.com', password: 'password1' });
      await page.getByRole('alert').waitFor();
      await fillFill(page, { password: PASSWORD });
      await assertPage(page, 'Your organization is ready');
      const told = await getText(page);
      const [, token = ''] = told.match(/SESSION='(svc_ses_[0-9A-Za-z]+)'/) ?? [];
      assert.equal(await sessionStatus(token), 200);
      assert.ok(told.includes(`export CONTROL='${planes.controlUrl}' GATEWAY='`), told);
      const guide = readFileSync(new URL('../../docs/guides/first-governed-tool.md', import.meta.url), 'utf8');
      for (const name of new Set([...told.matchAll(/\$([A-Z]+)/g)].map(([, each]) => each))) assert.ok(guide.includes(`$${name}`), name);
      assert.ok(asked.length > 0 && !asked.some((text) => text.includes(getSetupToken(planes) ?? '')));
      await page.goto('/me/profile');
      await assertPage(page, 'Profile');
      assert.match(await getText(page), /Ada[\s\S]*ada@example\.com[\s\S]*Acme/);
    }),
  );

  test(
    'reports a used or truncated link before any input',
    withWindow(async ({ page }) => {
      for (const url of [planes.setupUrl ?? '', '/setup']) {
        await page.goto(url);
        await page.reload();
        await assertPage(page, 'This set-up link is no longer valid');
        assert.equal(await page.locator('input').count(), 0);
      }
    }),
  );
});

some('what nobody has to be signed in for', () => {
  test(
    'asks people without a session to sign in, and returns to the page they opened',
    withWindow(async ({ page }) => {
      const person = await signUp(planes.controlUrl);
      await page.goto('/members');
      await assertPage(page, 'Sign in');
      await fillFill(page, { email: person.email, password: person.password });
      await waitForTitle(page, 'Members');
      assert.equal(new URL(page.url()).pathname, '/settings/members');
    }),
  );

  test(
    'shows mails on a small screen, a page without mails, and a name at the filter of the calls',
    withWindow(async ({ page }) => {
      const body = { email: `${'long-address-'.repeat(4)}@example.com`, name: 'Ada', password: PASSWORD };
      assert.equal((await call(planes.controlUrl, 'POST', '/v1/auth/signup/start', { body })).status, 200);
      await page.goto('/outbox');
      await page.getByText('long-address').first().waitFor();
      await assertPage(page, 'Outbox');
      await page.goto('/no-such-place');
      await assertPage(page, 'Page not found');
      await page.goto('/docs');
      // Every call is rendered before the filter is: on a busy machine that is slow.
      await page.getByRole('textbox', { name: 'Filter by tag or path' }).waitFor({ timeout: DRAWN_WITHIN_MS });
    }),
  );

  test(
    'states that sign-up is closed before anything is filled in',
    withWindow(async ({ page }) => {
      const closed = await startPlanes({ gateways: 0, env: { SVC_SIGNUP: 'closed' } });
      try {
        await page.goto(`${closed.controlUrl}/sign-up`);
        await page.getByText('Sign-up is closed').waitFor();
        await assertPage(page, 'Sign up');
        assert.equal(await page.locator('input').count(), 0);
      } finally {
        await closed.stop();
      }
    }),
  );
});

some('a page of whoever is signed in, with the keyboard, at 400 and 1280 px,', () => {
  test(
    'lists notifications with links to their subjects, marks them as read, and stores notification preferences',
    withWindow(async ({ page }) => {
      const tenant = await newTenant(planes);
      const owner = await planes.database.client();
      const told = { organizationId: tenant.organization_id, userId: tenant.user.id };
      await insertNotification(owner, { ...told, facts: { name: 'refund-bot' } });
      await insertNotification(owner, { ...told, kind: 'emergency', facts: { name: '<b>production</b>', what: 'environment' } });
      await owner.end();
      await signIn(page, tenant, '/notifications');
      await assertPage(page, 'Notifications');
      await page
        .getByRole('button', { name: /^Mark as read/ })
        .nth(1)
        .waitFor();
      assert.match(await getText(page), /The environment <b>production<\/b> was paused[\s\S]*refund-bot expires on/);
      await press(page, /^Mark as read: The environment/);
      await says(page, 'Marked as read.');
      await page.getByLabel('Time zone').fill('Mars/Olympus');
      await press(page, 'Save');
      await page.getByText('Must be a time zone of the IANA database').first().waitFor();
      await page.getByRole('textbox', { name: 'Time zone' }).fill('Europe/Berlin');
      await press(page, 'Save');
      await says(page, 'Saved for all your organizations.');
      const { time_zone } = await newControlClient(planes.controlUrl, tenant.token).getNotificationPreferences();
      assert.equal(time_zone, 'Europe/Berlin');
      const quiet = { from: '22:00', until: '06:30' };
      await page.getByLabel('Quiet from').fill(quiet.from);
      await page.getByLabel('Quiet until').fill(quiet.until);
      await press(page, 'Save');
      await says(page, 'Saved for all your organizations.');
      await page.reload();
      await page.getByLabel('Quiet from').waitFor();
      assert.equal(await page.getByLabel('Time zone').inputValue(), 'Europe/Berlin');
      await press(page, 'Save');
      await says(page, 'Saved for all your organizations.');
      const kept = await newControlClient(planes.controlUrl, tenant.token).getNotificationPreferences();
      assert.deepEqual([kept.quiet_hours, kept.time_zone], [quiet, 'Europe/Berlin'], 'saving takes nothing away');
    }),
  );

  test(
    'lists sessions with device, address and last use, ends one, and ends all others',
    withWindow(async ({ page }) => {
      const person = await signUp(planes.controlUrl);
      await signIn(page, person, '/sessions');
      await assertPage(page, 'Active sessions');
      await page.getByRole('row').nth(2).waitFor();
      assert.match(await getText(page), /Last used[\s\S]*127\.0\.0\.1/);
      assert.match(await page.getByRole('row').filter({ hasText: 'This session' }).innerText(), /127\.0\.0\.1/);
      await press(page, /^End: /);
      await says(page, 'The session has ended.');
      assert.equal(await page.evaluate('document.activeElement.getAttribute("role")'), 'status');
      assert.equal(await sessionStatus(person.token), 401);
      const { json } = await call(planes.controlUrl, 'POST', '/v1/auth/login', {
        body: { email: person.email, password: person.password },
      });
      await press(page, 'Sign out everywhere else');
      await assertPage(page, 'Active sessions');
      await press(page, 'Cancel');
      assert.equal(await sessionStatus(json.token), 200);
      await press(page, 'Sign out everywhere else');
      await press(page, 'Sign out everywhere else');
      await says(page, 'Every other session has ended.');
      assert.equal(await sessionStatus(json.token), 401);
      await waitForTitle(page, 'Active sessions');
    }),
  );

  test(
    'changes the password, reports faults of the new one, and continues in this session alone',
    withWindow(async ({ page }) => {
      const person = await signUp(planes.controlUrl);
      await signIn(page, person, '/password');
      await assertPage(page, 'Change password');
      await fillFill(page, { current_password: person.password, new_password: 'passwordpassword1' });
      await page.getByRole('alert').waitFor();
      await assertPage(page, 'Change password');
      await fillFill(page, { new_password: 'quite another horse and staple' });
      await assertPage(page, 'Password changed');
      assert.equal(await sessionStatus(person.token), 401);
      await page.goto('/me/profile');
      await waitForTitle(page, 'Profile');
    }),
  );

  test(
    'replaces recovery codes, to be copied or saved, and removes a factor, each after a fresh proof with its effects',
    withWindow(async ({ page }) => {
      const person = await signUp(planes.controlUrl);
      const { secret } = await stepUpAndEnrol(planes.controlUrl, person);
      const proof = async (): Promise<Record<string, string>> => {
        await forgetSteps(owner, person.user.id);
        return { code: computeTotpCode(secret) };
      };
      await signIn(page, person, '/second-factor');
      await fillFill(page, await proof());
      await assertPage(page, 'Second factors');
      await owner.query('update sessions set stepped_up_until = null where user_id = $1', [person.user.id]);
      await press(page, 'Create new recovery codes');
      assert.match(await page.getByRole('dialog').innerText(), /stop working/);
      await press(page, 'Create new recovery codes');
      await awaitStepUp(page);
      await assertPage(page, 'Second factors');
      await fillFill(page, await proof());
      await assertPage(page, 'Your new recovery codes');
      const codes = await page.locator('.codes li').allInnerTexts();
      assert.equal(codes.length, 10);
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download' }).click()]);
      assert.equal(readFileSync((await download.path()) ?? '', 'utf8'), `${codes.join('\n')}\n`);
      await page.goto('/second-factor');
      await press(page, /^Remove/);
      assert.match(await page.getByRole('dialog').innerText(), /You will sign in and confirm your identity with your password only/);
      await assertPage(page, 'Second factors');
      await press(page, 'Remove');
      await says(page, 'The second factor is removed.');
      await page.getByText('No second factor yet.').waitFor();
    }),
  );

  test(
    'lists linked identities, links another after a fresh proof, and unlinks one',
    withWindow(async ({ page }) => {
      const person = await signUp(planes.controlUrl);
      const { connectionId } = await insertSso(planes.database, person.organization.id, person.user.id);
      await signIn(page, person, '/identities');
      await page.getByText('http://127.0.0.1:9').waitFor();
      await press(page, 'Link identity');
      await page.locator('select[name=connection_id]').waitFor();
      await assertPage(page, 'Linked identities');
      assert.equal(await page.locator('select[name=connection_id]').inputValue(), connectionId);
      await owner.query('update sessions set stepped_up_until = null where user_id = $1', [person.user.id]);
      await press(page, 'Continue');
      await awaitStepUp(page);
      await fillFill(page, { password: person.password });
      // The provider of this connection does not exist, which is reported.
      await page.getByRole('alert').waitFor();
      await assertPage(page, 'Linked identities');
      await press(page, 'Close');
      await press(page, /^Unlink/);
      await press(page, 'Unlink');
      await says(page, 'The identity is unlinked.');
      await page.getByText('No identity is linked yet.').waitFor();
    }),
  );

  test(
    'lists the organizations of a person, and switches to another of them',
    withWindow(async ({ page }) => {
      const [person, other] = [await signUp(planes.controlUrl), await signUp(planes.controlUrl)];
      const roleId = getBuiltInRole('viewer').id;
      await insertMember(owner, { organizationId: other.organization.id, userId: person.user.id, roleId });
      await signIn(page, person);
      await press(page, `Switch: ${other.organization.name}`);
      await waitForTitle(page, 'Overview');
      await page.getByText(other.organization.name).first().waitFor();
      await page.goto('/me/profile');
      await page.getByRole('row').filter({ hasText: other.organization.name }).getByText('Current').waitFor();
      await assertPage(page, 'Profile');
    }),
  );

  test(
    'shows approvals and members only to permitted roles, and explains a direct visit',
    withWindow(async ({ page }) => {
      const person = await signUp(planes.controlUrl);
      const { rows } = await owner.query<{ id: string }>(
        "insert into roles (organization_id, id, name, description, permissions) values ($1, 'rol_0000000000000000000000KEYS', 'Keys', '', array['apikey:read']) returning id",
        [person.organization.id],
      );
      await owner.query('update members set role_id = $1 where user_id = $2', [rows[0]?.id, person.user.id]);
      await signIn(page, person, '/members');
      await waitForTitle(page, 'Members');
      await page.getByRole('alert').getByText('Your role cannot view members.').waitFor();
      assert.equal(await page.getByRole('link', { name: 'Approvals' }).count(), 0);
      await owner.query('update members set role_id = $2 where user_id = $1', [person.user.id, getBuiltInRole('viewer').id]);
      for (const [path, title, needs] of [
        ['/audit', 'Audit', 'audit:read'],
        ['/credentials', 'Credentials', 'credential:read'],
      ] as const) {
        await page.goto(path);
        await page.getByRole('alert').getByText(`Required permission: ${needs}.`).waitFor();
        await assertPage(page, title);
        const controls = page.getByRole('main').locator('button, input, select');
        assert.equal(await controls.count(), 0, `${path}: ${(await controls.allTextContents()).join(', ')}`);
      }
      await page.goto('/members');
      await waitForTitle(page, 'Members');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate('document.activeElement.tagName'), 'MAIN', 'the first key leads past the pages');
      await page.getByText('You need the permission member:invite to invite members.').waitFor();
      await assertPage(page, 'Members');
      assert.equal(await page.getByRole('button', { name: /^(Invite|Change|Remove|Withdraw)/ }).count(), 0);
    }),
  );
});

some('a team, by its pages alone,', () => {
  let governed: Governed;
  const approver = { email: 'second-person@example.com', password: PASSWORD, name: 'Ben' };
  before(async () => {
    governed = await newGoverned(planes, { rules: HELD });
  });

  const statusOf = async (id: string): Promise<string> => (await governed.owner('GET', `/v1/approvals/${id}`)).json.status;

  test(
    'grows by an invitation, which can be sent again and withdrawn',
    withWindow(async ({ page }, another) => {
      await signIn(page, governed.tenant, '/members');
      await page.getByText('No open invitations.').waitFor();
      await assertPage(page, 'Members');
      await press(page, 'Invite member');
      const role = page.locator('select[name=role_id]');
      assert.equal(await role.inputValue(), '', 'no role is chosen for anybody');
      await fillFill(page, { email: 'of-no-role@example.com' });
      assert.ok(await role.evaluate((each) => each.matches(':invalid')), 'and none is sent without one');
      assert.equal((await governed.owner('GET', '/v1/members/invitations')).json.length, 0);
      await assertPage(page, 'Members');
      await press(page, 'Close');
      await page.getByRole('link', { name: governed.tenant.user.name }).click();
      await page.getByRole('main').getByText(governed.tenant.user.id).waitFor();
      await assertPage(page, governed.tenant.user.name);
      await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Members' }).click();
      const invite = async (email: string): Promise<void> => {
        await press(page, 'Invite member');
        await page.locator('select[name=role_id]').selectOption({ label: 'approver' });
        await fillFill(page, { email });
        await says(page, `Invitation sent to ${email}.`);
        await page.getByText('No mail server is configured').waitFor();
      };
      await invite('not-this-one@example.com');
      await press(page, 'Withdraw: not-this-one@example.com');
      await press(page, 'Withdraw');
      await says(page, 'was withdrawn');
      await invite(approver.email);
      await press(page, `Send again: ${approver.email}`);
      await page.getByText('The invitation was just sent').waitFor();
      await assertPage(page, 'Members');
      const { page: theirs } = await another();
      await theirs.goto(`/invitation#code=${await getInvitationCode(owner, approver.email)}`);
      await fillFill(theirs, { name: approver.name, password: approver.password });
      await waitForTitle(theirs, 'Overview');
    }),
  );

  test(
    'approves a request of one person’s agent by another person after reading its arguments, denies with a reason, and lists the decisions',
    withWindow(async ({ page }) => {
      await signIn(page, approver, '/approvals');
      await page.getByText('Nothing waits for you.').waitFor();
      const held = async (parameters: object): Promise<string> => (await governed.act({ parameters })).json.error.details.approval_id;
      const first = await held({ order: 'order-77', note: '<b>&' });
      const { json: priced } = await governed.act({ parameters: { order: 'order-70' }, amount: 90_000, currency: 'USD' });
      const { approval_id } = priced.error.details;
      await press(page, 'Refresh');
      await page.getByRole('row').filter({ hasText: '900.00 USD' }).getByText('A person looks.').waitFor();
      await assertPage(page, 'Approvals');
      await page.goto(`/approvals/${approval_id}`);
      await page.getByRole('region', { name: 'Arguments' }).getByText('order-70').first().waitFor();
      const factsOf = await getText(page);
      for (const fact of [/Approve 900\.00 USD/, /Environment\s+\S/, /Requested\s+.*(UTC|GMT)/, new RegExp(approval_id.slice(-6))])
        assert.match(factsOf, fact);
      const cancelled = await governed.owner('POST', `/v1/approvals/${approval_id}/cancel`, { reason: 'Its amount was looked at.' });
      assert.equal(cancelled.status, 200, cancelled.text);
      await page.getByRole('link', { name: 'Approvals' }).first().click();
      await page.getByRole('link', { name: 'pay', exact: true }).click();
      await page.getByRole('region', { name: 'Arguments' }).getByText('order-77').first().waitFor();
      assert.equal(new URL(page.url()).pathname, `/approvals/${first}`);
      await assertPage(page, `pay by ${governed.agent.name}`);
      const shown = await getText(page);
      for (const text of [governed.agent.name, 'pay', '<b>&', 'Expires', '1 approval (approver or owner), none yet'])
        assert.ok(shown.includes(text), `${text} in ${shown}`);
      await page.locator('input[name=comment]').fill('Fine.');
      await page.keyboard.press('Enter');
      await says(page, `Approved. ${governed.agent.name} can continue.`);
      assert.equal(await statusOf(first), 'APPROVED');
      const second = await held({ order: 'order-78' });
      await page.goto(`/approvals/${second}`);
      await press(page, 'Deny');
      await fillFill(page, { reason: 'Not this one.' });
      await says(page, `Denied: pay by ${governed.agent.name}.`);
      assert.equal(await statusOf(second), 'DENIED');
      await page.getByText('Ben denies: Not this one.').waitFor();
      assert.equal(await page.getByRole('button', { name: /^(Approve|Deny)/ }).count(), 0);
      await page.goto('/approvals');
      await page.getByLabel('Status').selectOption('DENIED');
      await page.getByRole('row').filter({ hasText: 'Denied' }).waitFor();
      await page.reload();
      await page.getByRole('row').filter({ hasText: 'Denied' }).waitFor();
      await page.getByLabel('Status').selectOption('ANY');
      await page.getByRole('row').filter({ hasText: 'Approved' }).waitFor();
    }),
  );

  test(
    'requires a fresh proof where an approval needs one, and repeats the request',
    withWindow(async ({ page }) => {
      const strict = await newGoverned(planes, {
        rules: [{ ...HELD[0], approval: { approver_role: 'owner', quorum: 1, expires_in_seconds: 3600, step_up: true } }],
      });
      const held = (await strict.act({ parameters: {} })).json.error.details.approval_id;
      await signIn(page, strict.tenant, `/approvals/${held}`);
      await page.getByRole('button', { name: /^Approve/ }).focus();
      await page.keyboard.press('Enter');
      await awaitStepUp(page);
      await fillFill(page, { password: strict.tenant.password });
      await says(page, `Approved. ${strict.agent.name} can continue.`);
      assert.equal((await strict.owner('GET', `/v1/approvals/${held}`)).json.status, 'APPROVED');
    }),
  );

  test(
    'changes the role of a member and removes them, and shows a refusal with its sentence and remedy',
    withWindow(async ({ page }) => {
      await signIn(page, governed.tenant, '/members');
      await press(page, `Change role: ${approver.email}`);
      await page.getByRole('dialog').locator('select').selectOption({ label: 'auditor' });
      await assertPage(page, 'Members');
      await press(page, 'Save');
      await says(page, `The access of ${approver.name} is changed.`);
      await page.getByRole('row').filter({ hasText: approver.email }).getByText('auditor').waitFor();
      await press(page, `Remove: ${governed.tenant.email}`);
      await press(page, 'Remove');
      await page.getByRole('alert').waitFor();
      await assertPage(page, 'Members');
      await press(page, `Remove: ${approver.email}`);
      await press(page, 'Remove');
      await says(page, 'Ben is no longer a member.');
      const { status } = await call(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email: approver.email, password: PASSWORD } });
      assert.notEqual(status, 200);
    }),
  );
});
