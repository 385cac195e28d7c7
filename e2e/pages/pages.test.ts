import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { axeFindings } from '@svc/testing/browser/axe.ts';
import { buildPages } from '@svc/testing/browser/build-pages.ts';
import { openChromium } from '@svc/testing/browser/chromium.ts';
import { assertPage } from '@svc/testing/browser/look-at.ts';
import { type Browser, fillFill, type Page, type TestWindow, testInWindow, waitForTitle } from '@svc/testing/browser/window.ts';
import { longOnly, sampleFew } from '@svc/testing/length/test-length.ts';
import { call } from '@svc/testing/people/client.ts';
import { type SignedUp, signUp } from '@svc/testing/people/tenant.ts';
import { redeem, startTerminal } from '@svc/testing/people/terminal.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let person: SignedUp;
let browser: Browser | string;
before(async () => {
  buildPages();
  planes = await leasePlanes();
  person = await signUp(planes.controlUrl);
  browser = await openChromium();
});
after(async () => {
  if (typeof browser !== 'string') await browser?.close();
  await planes?.stop();
});

const withWindow = (work: (window: TestWindow) => Promise<void>, colorScheme: 'light' | 'dark' = 'light') =>
  testInWindow({ browser: () => browser, look: () => ({ baseURL: planes.controlUrl, colorScheme }) }, work);

const signIn = async (
  page: Page,
  { email, password }: Pick<SignedUp, 'email' | 'password'> = person,
  next = '/me/profile',
): Promise<void> => {
  await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
  await fillFill(page, { email, password });
};

/** The memory of a past sign-in stays: it grants no access, and keeps guesses of others from locking the user out. */
const KNOWN_BROWSER = ['svc-device'];
const cookiesLeft = async (context: TestWindow['context']): Promise<string[]> => (await context.cookies()).map(({ name }) => name);

describe('the pages, in a browser,', () => {
  test(
    'sign a person in with the keyboard alone, into an HttpOnly cookie, and out again',
    withWindow(async ({ page, context }) => {
      await page.goto('/me/profile');
      await waitForTitle(page, 'Sign in');
      await page.keyboard.press('Tab');
      await page.keyboard.type(person.email);
      await page.keyboard.press('Tab');
      await page.keyboard.type(person.password);
      await page.keyboard.press('Enter');
      await waitForTitle(page, 'Profile');
      const [cookie, device, ...others] = await context.cookies();
      assert.deepEqual([cookie?.httpOnly, cookie?.sameSite, others.length], [true, 'Lax', 0]);
      assert.deepEqual([device?.name, device?.httpOnly, device?.sameSite], ['svc-device', true, 'Lax']);
      const seen = await page.evaluate<string>('JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])');
      assert.ok(!seen.includes('svc_ses_'), seen);
      const out = page.getByRole('button', { name: 'Sign out' });
      const isReached = () => out.evaluate((each) => each.matches(':focus'));
      for (let keys = 0; keys < 100 && !(await isReached()); keys += 1) await page.keyboard.press('Tab');
      assert.ok(await isReached(), 'no key reaches the way out');
      await page.keyboard.press('Enter');
      await waitForTitle(page, 'Sign in');
      assert.deepEqual(await cookiesLeft(context), KNOWN_BROWSER);
      const answer = await call(planes.controlUrl, 'GET', '/v1/auth/session', { token: cookie?.value });
      assert.equal(answer.status, 401);
    }),
  );

  test(
    'report faults, and move the focus there',
    withWindow(async ({ page }) => {
      await signIn(page, { email: person.email, password: 'not this one at all' });
      const alert = page.getByRole('alert');
      await alert.waitFor();
      assert.match(await alert.innerText(), /Wrong email or password/);
      assert.equal(await page.evaluate('document.activeElement.getAttribute("role")'), 'alert');
    }),
  );

  test(
    'hide a password while it is typed, and accept a paste and a password manager',
    withWindow(async ({ page }) => {
      const fields = { '/sign-in': 'current-password', '/sign-up': 'new-password' };
      for (const [path, kind] of Object.entries(fields)) {
        await page.goto(path);
        await page.locator('input[name*=password]').first().waitFor();
        const seen = await page.evaluate<unknown[][]>(`[...document.querySelectorAll('input[name*=password]')].map((field) => [
          field.type, field.autocomplete, field.readOnly,
          field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true })),
        ])`);
        assert.deepEqual(seen, [['password', kind, false, true]], path);
      }
    }),
  );

  test(
    'have a sign-out on every page of a signed-in person',
    longOnly,
    withWindow(async ({ page, context }) => {
      await signIn(page);
      await waitForTitle(page, 'Profile');
      for (const path of [
        '/account',
        '/me/profile',
        '/approvals',
        '/cli',
        '/device-approvals',
        '/identities',
        '/members',
        '/notifications',
        '/password',
        '/sessions',
      ]) {
        await page.goto(path);
        const out = page.getByRole('button', { name: 'Sign out', exact: true });
        await out.waitFor();
        assert.equal(await out.count(), 1, path);
      }
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await waitForTitle(page, 'Sign in');
      assert.deepEqual(await cookiesLeft(context), KNOWN_BROWSER);
    }),
  );

  test(
    'lead to no other site, for any link',
    withWindow(async ({ page }) => {
      for (const next of ['https://evil.example/', '/\\evil.example', 'javascript:alert(1)']) {
        await signIn(page, person, next);
        await waitForTitle(page, 'Overview');
        assert.equal(page.url(), `${planes.controlUrl}/overview`, next);
      }
    }),
  );

  test(
    'admit a terminal by its code, with a sign-in on the way',
    withWindow(async ({ page }) => {
      const terminal = await startTerminal(planes.controlUrl);
      await page.goto(terminal.verification_uri);
      await waitForTitle(page, 'Sign in');
      await fillFill(page, { email: person.email, password: person.password });
      await waitForTitle(page, 'Connect a terminal');
      await fillFill(page, { user_code: terminal.user_code.toLowerCase() });
      await waitForTitle(page, 'Connect this terminal?');
      const shown = await page.getByRole('main').innerText();
      for (const text of [terminal.user_code, 'ada-laptop', 'linux x64', '1.4.0', '127.0.0.1', person.organization.name])
        assert.ok(shown.includes(text), `${text} in ${shown}`);
      const asked = await newControlClient(planes.controlUrl, person.token).getCliRequest({ params: { requestId: terminal.request_id } });
      assert.ok(shown.includes('Requested'), shown);
      assert.equal(await page.getByRole('main').locator('time').getAttribute('datetime'), asked.created_at);
      await page.getByRole('button', { name: 'Allow' }).click();
      await waitForTitle(page, 'Terminal connected');
      assert.equal((await redeem(planes.controlUrl, terminal)).status, 200);
    }),
  );

  test(
    'deliver the code of a terminal on the same machine, and show its description as text',
    withWindow(async ({ page }) => {
      const listener = await listen();
      const hostname = '<img src=x onerror="document.title=1">';
      const terminal = await startTerminal(planes.controlUrl, listener.port, { hostname });
      await signIn(page, person, terminal.verification_uri);
      await waitForTitle(page, 'Connect this terminal?');
      assert.ok((await page.getByRole('main').innerText()).includes(hostname));
      assert.equal(await page.locator('main img').count(), 0);
      await page.getByRole('button', { name: 'Allow' }).click();
      const asked = await listener.asked;
      assert.equal(asked.searchParams.get('state'), terminal.request_id);
      const session = await redeem(planes.controlUrl, terminal, asked.searchParams.get('code') ?? '');
      assert.equal(session.status, 200, session.text);
      listener.server.close();
    }),
  );

  test(
    'refuse a terminal',
    withWindow(async ({ page }) => {
      const terminal = await startTerminal(planes.controlUrl, 8_085);
      await signIn(page, person, terminal.verification_uri);
      await page.getByRole('button', { name: 'Deny' }).click();
      await waitForTitle(page, 'Terminal denied');
      assert.equal((await redeem(planes.controlUrl, terminal)).json.error.code, 'APPROVAL_NOT_GRANTED');
    }),
  );
});

describe('accessibility', () => {
  for (const scheme of sampleFew(['light', 'dark'] as const, 1, 'colours'))
    test(
      `finds nothing against WCAG 2.2 A and AA, in ${scheme} colours`,
      withWindow(async ({ page }) => {
        const look = (title: string): Promise<void> => assertPage(page, title);
        await page.goto('/sign-in');
        await look('Sign in');
        await signIn(page, { email: person.email, password: 'not this one at all' });
        await page.getByRole('alert').waitFor();
        await look('Sign in');
        await signIn(page);
        await look('Profile');
        await page.goto('/cli');
        await look('Connect a terminal');
        await page.goto((await startTerminal(planes.controlUrl, 8_085)).verification_uri);
        await look('Connect this terminal?');
        await page.getByRole('button', { name: 'Deny' }).click();
        await look('Terminal denied');
        await page.goto('/cli?request_id=cli_7ZZZZZZZZZZZZZZZZZZZZZZZZZ');
        await page.getByRole('alert').waitFor();
        await look('Connect a terminal');
      }, scheme),
    );
});

describe('the API reference, which the library of OpenAPI draws,', () => {
  /** The document of the gateway is the smaller one: the library opens an operation of it in a second. */
  const views = () =>
    [
      [`${planes.controlUrl}/docs`, '.opblock'],
      [`${planes.gatewayUrl}/docs#/actions/act`, '.opblock-body .execute'],
    ] as const;
  for (const colorScheme of sampleFew(['light', 'dark'] as const, 1, 'colours'))
    test(
      `has no finding against WCAG 2.2 A and AA in ${colorScheme} colours, and fits on a phone`,
      withWindow(async ({ page }) => {
        for (const [address, drawn] of views()) {
          await page.setViewportSize({ width: 1280, height: 800 });
          await page.goto(address);
          await page.locator(drawn).first().waitFor({ timeout: 120_000 });
          for (const width of [1280, 400]) {
            await page.setViewportSize({ width, height: 800 });
            assert.deepEqual(await axeFindings(page), [], `${address} at ${width} px`);
            assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width, `${address} at ${width} px`);
          }
        }
      }, colorScheme),
    );
});

/** Listens for the browser's delivery like a terminal. */
const listen = async (): Promise<{ readonly server: Server; readonly port: number; readonly asked: Promise<URL> }> => {
  const { promise, resolve } = Promise.withResolvers<URL>();
  const server = createServer((request, response) => {
    response.end('Signed in.');
    if (request.url?.startsWith('/?')) resolve(new URL(request.url, 'http://127.0.0.1'));
  });
  server.unref();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { server, port: (server.address() as AddressInfo).port, asked: promise };
};
