import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { buildPages } from '@svc/testing/browser/build-pages.ts';
import { openChromium } from '@svc/testing/browser/chromium.ts';
import { assertPage } from '@svc/testing/browser/look-at.ts';
import {
  awaitStepUp,
  type Browser,
  fillFill,
  type Page,
  type TestWindow,
  testInWindow,
  waitForTitle,
} from '@svc/testing/browser/window.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { invite } from '@svc/testing/people/invite.ts';
import { getMailsTo } from '@svc/testing/people/mails-to.ts';
import { computeTotpCode, getOrigin, stepUpAndEnrol } from '@svc/testing/people/second-factors.ts';
import { type SignedUp, signUp } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

let planes: Planes;
let owner: pg.Client;
let browser: Browser | string;
before(async () => {
  buildPages();
  planes = await startPlanes({ gateways: 0 });
  owner = await planes.database.client();
  browser = await openChromium();
});
after(async () => {
  if (typeof browser !== 'string') await browser?.close();
  await owner?.end();
  await planes?.stop();
});

/** Uses the host name of the machine, since passkeys are bound to names. */
const withWindow = (work: (window: TestWindow, another: () => Promise<TestWindow>) => Promise<void>) =>
  testInWindow({ browser: () => browser, look: () => ({ baseURL: getOrigin(planes.controlUrl) }) }, work);

const person = (): Promise<SignedUp> => signUp(planes.controlUrl);

const signIn = async (page: Page, { email, password }: Pick<SignedUp, 'email' | 'password'>): Promise<void> => {
  await page.goto('/sign-in');
  await fillFill(page, { email, password });
};
const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();

/** Adds an authenticator to the browser that holds passkeys and confirms by itself. */
const addAuthenticator = async (context: TestWindow['context'], page: Page): Promise<void> => {
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
};

/** Returns the six digits of the last mail to an address. */
const digitsMailedTo = async (address: string): Promise<string> => {
  const digits = (await getMailsTo(owner, address))
    .map(({ values }) => Object.values(values).find((value) => /^\d{6}$/.test(value)))
    .at(-1);
  assert.ok(digits, `a code was mailed to ${address}`);
  return digits;
};

describe('the pages, with the keyboard and without a finding of axe,', () => {
  test(
    'create an organization by a mailed code',
    withWindow(async ({ page }) => {
      const email = 'founder@example.com';
      await page.goto('/sign-up');
      await assertPage(page, 'Sign up');
      await fillFill(page, { organizationName: 'Looms', name: 'Joan', email, password: 'correct horse battery staple' });
      await page.getByText('No mail server is configured').waitFor();
      await page.getByRole('link', { name: 'outbox' }).waitFor();
      await assertPage(page, 'Find your code');
      await fillFill(page, { code: await digitsMailedTo(email) });
      await waitForTitle(page, 'Overview');
      assert.match(await page.getByRole('banner').innerText(), /Looms/);
    }),
  );

  test(
    'replace a forgotten password',
    withWindow(async ({ page }) => {
      const { email } = await person();
      await page.goto('/reset-password');
      await assertPage(page, 'Forgot password');
      await fillFill(page, { email });
      await page.getByText('No mail server is configured').waitFor();
      await assertPage(page, 'Set a new password');
      const password = 'quite another horse and staple';
      await fillFill(page, { code: await digitsMailedTo(email), new_password: password });
      await assertPage(page, 'Password set');
      await signIn(page, { email, password });
      await waitForTitle(page, 'Overview');
    }),
  );

  test(
    'replace a forgotten password by the link of the mail, with only the new one to type, also while strangers have locked the account',
    withWindow(async ({ page }) => {
      const { email } = await person();
      const post = (path: string, body: object) => call(planes.controlUrl, 'POST', path, { body });
      await post('/v1/auth/password/reset/start', { email });
      for (let n = 0; n < 7; n += 1) await post('/v1/auth/login', { email, password: 'a guess of a stranger' });
      const link = new URL((await getMailsTo(owner, email)).at(-1)?.values.link ?? '');
      await page.goto(`${link.pathname}${link.hash}`);
      await assertPage(page, 'Set a new password');
      const password = 'quite another horse and staple';
      await fillFill(page, { new_password: password });
      await assertPage(page, 'Password set');
      await signIn(page, { email, password });
      await waitForTitle(page, 'Overview');
      await owner.query('delete from sign_in_failures');
    }),
  );

  test(
    'report a truncated link, and accept a code that arrived other than by mail',
    withWindow(async ({ page }) => {
      await page.goto('/invitation');
      await page.getByText('This invitation link is incomplete.').waitFor();
      await page.goto('/reset-password');
      await page.getByRole('button', { name: 'I have a code' }).click();
      await fillFill(page, { email: 'locked-out@example.com' });
      await assertPage(page, 'Set a new password');
      await fillFill(page, { code: '000000', new_password: 'quite another horse and staple' });
      await page.getByRole('alert').waitFor();
    }),
  );

  test(
    'accept an invitation by its link, as a new person',
    withWindow(async ({ page }) => {
      const { token } = await person();
      const email = 'invited@example.com';
      const role_id = 'rol_00000000000000000000000007';
      const { code } = await invite(owner, { controlUrl: planes.controlUrl, token }, { email, role_id });
      await page.goto(`/invitation#code=${code}`);
      await page.locator('input[name=name]').waitFor();
      await assertPage(page, 'Invitation');
      await fillFill(page, { name: 'Mary', password: 'correct horse battery staple' });
      await waitForTitle(page, 'Overview');
      await page.goto(`/invitation#code=${code}`);
      await page.reload();
      await page.getByRole('alert').waitFor();
      await assertPage(page, 'Invitation');
    }),
  );

  test(
    'enrol an authenticator app, and require its code, or a recovery code, from then on',
    withWindow(async ({ page }) => {
      const somebody = await person();
      await signIn(page, somebody);
      await waitForTitle(page, 'Overview');
      await page.goto('/second-factor');
      await assertPage(page, 'Second factors');
      await press(page, 'Add app');
      await awaitStepUp(page);
      await fillFill(page, { password: somebody.password });
      await page.locator('img').waitFor();
      await assertPage(page, 'Second factors');
      const secret = await page.locator('.secret').innerText();
      await fillFill(page, { code: computeTotpCode(secret, -1) });
      await assertPage(page, 'The second factor is added');
      const [recovery = '', ...others] = await page.locator('.codes li').allInnerTexts();
      assert.equal(others.length, 9);
      await signIn(page, somebody);
      await assertPage(page, 'Second factor');
      await fillFill(page, { code: computeTotpCode(secret) });
      await waitForTitle(page, 'Overview');
      await signIn(page, somebody);
      await press(page, 'Use recovery code');
      await fillFill(page, { recovery_code: recovery });
      await waitForTitle(page, 'Overview');
    }),
  );

  test(
    'enrol a passkey, and sign in with it alone',
    withWindow(async ({ page, context }) => {
      await addAuthenticator(context, page);
      const somebody = await person();
      await signIn(page, somebody);
      await waitForTitle(page, 'Overview');
      await page.goto('/second-factor');
      await press(page, 'Add passkey');
      await awaitStepUp(page);
      await fillFill(page, { password: somebody.password });
      await waitForTitle(page, 'The second factor is added');
      await page.goto('/me/profile');
      await press(page, 'Sign out');
      await waitForTitle(page, 'Sign in');
      await press(page, 'Use a passkey');
      await waitForTitle(page, 'Overview');
      await page.goto('/me/profile');
      await page.getByText(somebody.email).waitFor();
    }),
  );

  test(
    'confirm the step-up of a terminal with a passkey, and end the session of one that the person did not start',
    withWindow(async ({ page, context }) => {
      await addAuthenticator(context, page);
      const somebody = await person();
      const { email, password } = somebody;
      const newTerminal = async (): Promise<string> =>
        (await mustCall(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email, password } })).token;
      const terminals = [await newTerminal(), await newTerminal()] as const;
      const request = async (token: string): Promise<string> => {
        const { verification_uri } = await mustCall(planes.controlUrl, 'POST', '/v1/auth/step-up/requests', { token });
        const { pathname, search } = new URL(verification_uri);
        return `${pathname}${search}`;
      };
      await signIn(page, somebody);
      await waitForTitle(page, 'Overview');
      await page.goto('/second-factor');
      await press(page, 'Add passkey');
      await awaitStepUp(page);
      await fillFill(page, { password });
      await waitForTitle(page, 'The second factor is added');
      await page.goto(await request(terminals[0]));
      await assertPage(page, 'Confirm for your terminal?');
      await press(page, 'Confirm');
      await awaitStepUp(page);
      await press(page, 'Use a passkey');
      await waitForTitle(page, 'Confirmed');
      const { json } = await call(planes.controlUrl, 'GET', '/v1/auth/session', { token: terminals[0] });
      assert.ok(Date.parse(json.step_up_expires_at) > Date.now());
      await page.goto(await request(terminals[1]));
      await press(page, 'Not me: end that session');
      await waitForTitle(page, 'Session ended');
      assert.equal((await call(planes.controlUrl, 'GET', '/v1/auth/session', { token: terminals[1] })).status, 401);
    }),
  );

  test(
    'approve a sign-in from a signed-in browser, by the number that both show',
    withWindow(async ({ page }, another) => {
      const somebody = await person();
      const { secret } = await stepUpAndEnrol(planes.controlUrl, somebody);
      await signIn(page, somebody);
      await fillFill(page, { code: computeTotpCode(secret) });
      await waitForTitle(page, 'Overview');
      const other = await another();
      await signIn(other.page, somebody);
      await press(other.page, 'Use another device');
      const shown = other.page.locator('.pairing-code');
      await shown.filter({ hasText: /^\d\d$/ }).waitFor();
      await assertPage(other.page, 'Second factor');
      await page.goto('/device-approvals');
      await page.locator('input[name=number]').waitFor();
      await assertPage(page, 'Pending sign-ins');
      await fillFill(page, { number: await shown.innerText() });
      await waitForTitle(other.page, 'Overview');
    }),
  );

  test(
    'open only the enrolment if the organization requires a second factor',
    withWindow(async ({ page }) => {
      const somebody = await person();
      await owner.query('update organizations set require_mfa = true where id = $1', [somebody.organization.id]);
      await signIn(page, somebody);
      await assertPage(page, 'Second factors');
      assert.match(await page.getByRole('main').innerText(), /You cannot use the console until you add one/);
    }),
  );
});
