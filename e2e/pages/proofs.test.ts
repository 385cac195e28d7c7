import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { buildPages } from '@svc/testing/browser/build-pages.ts';
import { openChromium } from '@svc/testing/browser/chromium.ts';
import { lookAt } from '@svc/testing/browser/look-at.ts';
import { awaitStepUp, type Browser, fillIn, inWindow, type Page, titleOf, type Window } from '@svc/testing/browser/window.ts';
import { call } from '@svc/testing/people/client.ts';
import { invite } from '@svc/testing/people/invite.ts';
import { mailsTo } from '@svc/testing/people/mails-to.ts';
import { originOf, stepUpAndEnrol, totpCode } from '@svc/testing/people/second-factors.ts';
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

/** By the host name of the machine, since passkeys are bound to names. */
const withWindow = (work: (window: Window, another: () => Promise<Window>) => Promise<void>) =>
  inWindow({ browser: () => browser, look: () => ({ baseURL: originOf(planes.controlUrl) }) }, work);

const person = (): Promise<SignedUp> => signUp(planes.controlUrl);

const signIn = async (page: Page, { email, password }: Pick<SignedUp, 'email' | 'password'>): Promise<void> => {
  await page.goto('/sign-in');
  await fillIn(page, { email, password });
};
const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();

/** Returns the six digits of the last mail to an address. */
const digitsMailedTo = async (address: string): Promise<string> => {
  const digits = (await mailsTo(owner, address)).map(({ values }) => Object.values(values).find((value) => /^\d{6}$/.test(value))).at(-1);
  assert.ok(digits, `a code was mailed to ${address}`);
  return digits;
};

describe('the pages, with the keyboard and without a finding of axe,', () => {
  test(
    'create an organization by a mailed code',
    withWindow(async ({ page }) => {
      const email = 'founder@example.com';
      await page.goto('/sign-up');
      await lookAt(page, 'Sign up');
      await fillIn(page, { organizationName: 'Looms', name: 'Joan', email, password: 'correct horse battery staple' });
      await page.getByText('No mail server is configured').waitFor();
      await page.getByRole('link', { name: 'outbox' }).waitFor();
      await lookAt(page, 'Find your code');
      await fillIn(page, { code: await digitsMailedTo(email) });
      await titleOf(page, 'Overview');
      assert.match(await page.getByRole('banner').innerText(), /Looms/);
    }),
  );

  test(
    'replace a forgotten password',
    withWindow(async ({ page }) => {
      const { email } = await person();
      await page.goto('/reset-password');
      await lookAt(page, 'Forgot password');
      await fillIn(page, { email });
      await page.getByText('No mail server is configured').waitFor();
      await lookAt(page, 'Set a new password');
      const password = 'quite another horse and staple';
      await fillIn(page, { code: await digitsMailedTo(email), new_password: password });
      await lookAt(page, 'Password set');
      await signIn(page, { email, password });
      await titleOf(page, 'Overview');
    }),
  );

  test(
    'replace a forgotten password by the link of the mail, with only the new one to type, also while strangers have locked the account',
    withWindow(async ({ page }) => {
      const { email } = await person();
      const post = (path: string, body: object) => call(planes.controlUrl, 'POST', path, { body });
      await post('/v1/auth/password/reset/start', { email });
      for (let n = 0; n < 7; n += 1) await post('/v1/auth/login', { email, password: 'a guess of a stranger' });
      const link = new URL((await mailsTo(owner, email)).at(-1)?.values.link ?? '');
      await page.goto(`${link.pathname}${link.hash}`);
      await lookAt(page, 'Set a new password');
      const password = 'quite another horse and staple';
      await fillIn(page, { new_password: password });
      await lookAt(page, 'Password set');
      await signIn(page, { email, password });
      await titleOf(page, 'Overview');
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
      await fillIn(page, { email: 'locked-out@example.com' });
      await lookAt(page, 'Set a new password');
      await fillIn(page, { code: '000000', new_password: 'quite another horse and staple' });
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
      await lookAt(page, 'Invitation');
      await fillIn(page, { name: 'Mary', password: 'correct horse battery staple' });
      await titleOf(page, 'Overview');
      await page.goto(`/invitation#code=${code}`);
      await page.reload();
      await page.getByRole('alert').waitFor();
      await lookAt(page, 'Invitation');
    }),
  );

  test(
    'enrol an authenticator app, and require its code, or a recovery code, from then on',
    withWindow(async ({ page }) => {
      const somebody = await person();
      await signIn(page, somebody);
      await titleOf(page, 'Overview');
      await page.goto('/second-factor');
      await lookAt(page, 'Second factors');
      await press(page, 'Add app');
      await awaitStepUp(page);
      await fillIn(page, { password: somebody.password });
      await page.locator('img').waitFor();
      await lookAt(page, 'Second factors');
      const secret = await page.locator('.secret').innerText();
      await fillIn(page, { code: totpCode(secret, -1) });
      await lookAt(page, 'The second factor is added');
      const [recovery = '', ...others] = await page.locator('.codes li').allInnerTexts();
      assert.equal(others.length, 9);
      await signIn(page, somebody);
      await lookAt(page, 'Second factor');
      await fillIn(page, { code: totpCode(secret) });
      await titleOf(page, 'Overview');
      await signIn(page, somebody);
      await press(page, 'Use recovery code');
      await fillIn(page, { recovery_code: recovery });
      await titleOf(page, 'Overview');
    }),
  );

  test(
    'enrol a passkey, and sign in with it alone',
    withWindow(async ({ page, context }) => {
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
      const somebody = await person();
      await signIn(page, somebody);
      await titleOf(page, 'Overview');
      await page.goto('/second-factor');
      await press(page, 'Add passkey');
      await awaitStepUp(page);
      await fillIn(page, { password: somebody.password });
      await titleOf(page, 'The second factor is added');
      await page.goto('/me/profile');
      await press(page, 'Sign out');
      await titleOf(page, 'Sign in');
      await press(page, 'Use a passkey');
      await titleOf(page, 'Overview');
      await page.goto('/me/profile');
      await page.getByText(somebody.email).waitFor();
    }),
  );

  test(
    'approve a sign-in from a signed-in browser, by the number that both show',
    withWindow(async ({ page }, another) => {
      const somebody = await person();
      const { secret } = await stepUpAndEnrol(planes.controlUrl, somebody);
      await signIn(page, somebody);
      await fillIn(page, { code: totpCode(secret) });
      await titleOf(page, 'Overview');
      const other = await another();
      await signIn(other.page, somebody);
      await press(other.page, 'Use another device');
      const shown = other.page.locator('.pairing-code');
      await shown.filter({ hasText: /^\d\d$/ }).waitFor();
      await lookAt(other.page, 'Second factor');
      await page.goto('/device-approvals');
      await page.locator('input[name=number]').waitFor();
      await lookAt(page, 'Pending sign-ins');
      await fillIn(page, { number: await shown.innerText() });
      await titleOf(other.page, 'Overview');
    }),
  );

  test(
    'open only the enrolment if the organization requires a second factor',
    withWindow(async ({ page }) => {
      const somebody = await person();
      await owner.query('update organizations set require_mfa = true where id = $1', [somebody.organization.id]);
      await signIn(page, somebody);
      await lookAt(page, 'Second factors');
      assert.match(await page.getByRole('main').innerText(), /You cannot use the console until you add one/);
    }),
  );
});
