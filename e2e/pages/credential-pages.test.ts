import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newCredential } from '@svc/testing/agents/new-credential.ts';
import { OAUTH_ENV } from '@svc/testing/agents/oauth-scene.ts';
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
import { type KeyedService, startKeyedService } from '@svc/testing/peers/keyed-service.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { newTenant, type SignedUp, signUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let service: KeyedService;
let browser: Browser | string;
before(async () => {
  buildPages();
  [planes, service, browser] = await Promise.all([leasePlanes({ env: OAUTH_ENV }), startKeyedService(), openChromium()]);
});
after(async () => {
  if (typeof browser !== 'string') await browser?.close();
  await Promise.all([service?.close(), planes?.stop()]);
});

const withWindow = (work: (window: TestWindow) => Promise<void>) =>
  testInWindow({ browser: () => browser, look: () => ({ baseURL: planes.controlUrl }) }, work);

const signIn = async (page: Page, { email, password }: Pick<SignedUp, 'email' | 'password'>): Promise<void> => {
  await page.goto('/sign-in?next=/credentials');
  await fillFill(page, { email, password });
};

/** Presses a control with the keyboard, from the current focus. */
const press = async (page: Page, name: string): Promise<void> => {
  await (await getForeground(page)).getByRole('button', { name, exact: true }).focus();
  await page.keyboard.press('Enter');
};

const says = (page: Page, text: string): Promise<void> => page.getByRole('status').filter({ hasText: text }).waitFor();

/** Fills in the form of a new one, or of an opened one. */
const write = async (page: Page, values: Readonly<Record<string, string>>, opened?: string): Promise<void> => {
  const form = opened === undefined ? page.locator('form').last() : page.getByRole('dialog', { name: opened });
  for (const [name, value] of Object.entries(values)) {
    const field = form.locator(`[name="${name}"]`);
    if (await field.evaluate((each) => each.matches('select'))) await field.selectOption(value);
    else await field.fill(value);
  }
};

const prove = async (page: Page, { password }: Tenant): Promise<void> => {
  await awaitStepUp(page);
  await fillFill(page, { password });
};

const lookInAnyColours = async (page: Page, title: string): Promise<void> => {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await assertPage(page, title);
  }
};

/** Asserts that the page and its fields do not contain the secret. */
const holdsNothingOf = async (page: Page, secret: string): Promise<void> => {
  const fields = await page.evaluate<string>('[...document.querySelectorAll("input")].map(({ value }) => value).join()');
  assert.ok(!`${await page.content()}${fields}`.includes(secret), 'a secret is in the page');
};

const listCredentials = ({ token }: Tenant) => mustCall(planes.controlUrl, 'GET', '/v1/credentials', { token });

const [FIRST, NEXT] = ['a-key-of-the-payments-service', 'the-next-key-of-the-service'];

/** Values to fill in, and the resulting data of the plane. */
const WAYS = [
  [
    { way: 'header', 'placement/header': 'X-API-Key', 'placement/prefix': 'Token', secret: FIRST },
    { scheme: 'HEADER', placement: { header: 'X-API-Key', prefix: 'Token' } },
  ],
  [
    { way: 'template', 'placement/header': 'Authorization', 'placement/template': 'Token token={secret}', secret: FIRST },
    { scheme: 'HEADER', placement: { header: 'Authorization', template: 'Token token={secret}' } },
  ],
  [
    { way: 'password', 'placement/username': 'ada', secret: FIRST },
    { scheme: 'BASIC', placement: { username: 'ada' } },
  ],
  [
    { way: 'username', secret: FIRST },
    { scheme: 'BASIC', placement: { secret_is: 'USERNAME' } },
  ],
  [
    { way: 'query', 'placement/parameter': 'key', secret: FIRST },
    { scheme: 'QUERY', placement: { parameter: 'key' } },
  ],
  [
    { way: 'body', 'placement/field': 'api_key', secret: FIRST },
    { scheme: 'BODY_FIELD', placement: { field: 'api_key' } },
  ],
] as const;

const APPLICATION = { 'oauth/token_url': 'https://login.calendar.example/token', 'oauth/client_id': 'acme' };

describe('the page of credentials, with the keyboard, at 400 and 1280 px, in light and dark colours,', () => {
  test(
    'state what a credential belongs to, and how to create that, without an environment',
    withWindow(async ({ page }) => {
      await signIn(page, await signUp(planes.controlUrl));
      await page.getByText('No credentials yet.').waitFor();
      await assertPage(page, 'Credentials');
      await page.getByRole('link', { name: 'New credential' }).first().click();
      await page.getByText('A credential belongs to an environment').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Create credential', exact: true }).count(), 0);
      await assertPage(page, 'New credential');
    }),
  );

  test(
    'store a secret after reporting faults, test it, rotate it after a fresh proof and revoke it, and never show it',
    withWindow(async ({ page }) => {
      const tenant = await newTenant(planes);
      service.answer(({ headers }, response) => response.end(`I was sent ${headers.authorization}`));
      await signIn(page, tenant);
      await page.getByText('No credentials yet.').waitFor();
      await page.getByRole('link', { name: 'New credential' }).first().click();
      await page.locator('[name=destinations]').waitFor();
      const destinations = `*.payments.example, ${service.host}`;
      await write(page, { name: 'Payments', destinations: `${destinations}/pay`, tools: 'refund.create', secret: FIRST });
      await press(page, 'Create credential');
      await page.getByRole('alert').waitFor();
      await page.getByRole('alert').getByText('must be a host without scheme or path').waitFor();
      await lookInAnyColours(page, 'New credential');
      await write(page, { destinations });
      await press(page, 'Create credential');
      await waitForTitle(page, 'Payments');
      await page.getByText(destinations).waitFor();
      await holdsNothingOf(page, FIRST);

      await press(page, 'Test: Payments');
      await write(page, { url: `http://${service.host}/account` }, 'Test: Payments');
      await press(page, 'Send request');
      await page.getByRole('group', { name: 'Response' }).getByText('I was sent Bearer [credential]').waitFor();
      assert.deepEqual(
        service.taken.map(({ method, headers }) => [method, headers.authorization]),
        [['GET', `Bearer ${FIRST}`]],
      );
      await lookInAnyColours(page, 'Payments');
      await press(page, 'Close');

      await press(page, 'Rotate: Payments');
      assert.equal(await page.locator('select[name="overlap_seconds"]').inputValue(), '0', 'as the plane does where nothing is said');
      await write(page, { secret: FIRST }, 'Rotate: Payments');
      await press(page, 'Rotate');
      await prove(page, tenant);
      await page.getByRole('alert').getByText('is the one that stands already').waitFor();
      await write(page, { secret: NEXT, overlap_seconds: '3600' }, 'Rotate: Payments');
      await assertPage(page, 'Payments');
      await press(page, 'Rotate');
      await says(page, 'Payments is rotated');
      await page.getByText('the previous secret works until').waitFor();
      await holdsNothingOf(page, NEXT);
      const [rotated] = await listCredentials(tenant);
      assert.equal(Date.parse(rotated.previous_ends_at) - Date.parse(rotated.rotated_at), 3_600_000);

      await press(page, 'Revoke: Payments');
      await write(page, { reason: 'It stood in a chat.' }, 'Revoke: Payments');
      await press(page, 'Revoke');
      await says(page, 'Payments is revoked');
      await page.getByText('It stood in a chat.').waitFor();
      assert.equal((await listCredentials(tenant))[0].status, 'REVOKED');
    }),
  );

  test(
    'store extra items, report a fault in one, send them in a test, rotate one alone, and never show their values',
    withWindow(async ({ page }) => {
      const tenant = await newTenant(planes);
      service.answer(({ headers, url }, response) => response.end(`I was sent ${headers['x-app']} and ${url.searchParams.get('app')}`));
      await signIn(page, tenant);
      await waitForTitle(page, 'Credentials');
      await page.goto('/credentials/new');
      await page.locator('[name=destinations]').waitFor();
      await press(page, 'Add extra item');
      await press(page, 'Add extra item');
      await press(page, 'Add extra item');
      await press(page, 'Remove last item');
      await write(page, { name: 'Metrics', destinations: service.host, tools: 'x', secret: FIRST });
      await write(page, { 'extras/0/name': 'Host', 'extras/0/secret': NEXT, 'extras/1/in': 'QUERY', 'extras/1/name': 'app' });
      await write(page, { 'extras/1/secret': `${NEXT}-2` });
      await press(page, 'Create credential');
      await page.getByRole('alert').getByText('belongs to the connection itself').waitFor();
      await lookInAnyColours(page, 'New credential');
      await write(page, { 'extras/0/name': 'X-App' });
      await press(page, 'Create credential');
      await waitForTitle(page, 'Metrics');
      await page.getByText('Header X-App, Query parameter app').waitFor();
      await assertPage(page, 'Metrics');
      await holdsNothingOf(page, NEXT);

      await press(page, 'Test: Metrics');
      await write(page, { url: `http://${service.host}/account` }, 'Test: Metrics');
      await press(page, 'Send request');
      await page.getByRole('group', { name: 'Response' }).getByText('I was sent [credential] and [credential]').waitFor();
      const sent = () => service.taken.map(({ headers, url }) => [headers['x-app'], url.searchParams.get('app')]);
      assert.deepEqual(sent(), [[NEXT, `${NEXT}-2`]]);
      await press(page, 'Close');

      await press(page, 'Rotate: Metrics');
      await write(page, { 'extras/1/secret': `${NEXT}-3` }, 'Rotate: Metrics');
      await assertPage(page, 'Metrics');
      await press(page, 'Rotate');
      await prove(page, tenant);
      await says(page, 'Metrics is rotated');
      await holdsNothingOf(page, NEXT);
      const [{ generation, extras }] = await listCredentials(tenant);
      assert.deepEqual(
        [generation, extras],
        [
          2,
          [
            { in: 'HEADER', name: 'X-App' },
            { in: 'QUERY', name: 'app' },
          ],
        ],
      );
    }),
  );

  test(
    'support every way to send and obtain a secret, connect an application, show more pages, and offer only what the role permits',
    withWindow(async ({ page }) => {
      const tenant = await newTenant(planes);
      await signIn(page, tenant);
      await waitForTitle(page, 'Credentials');
      const store = async (name: string, values: Readonly<Record<string, string>>): Promise<void> => {
        await page.goto('/credentials/new');
        await page.locator('[name=destinations]').waitFor();
        await write(page, { ...values, name, destinations: 'api.example.com', tools: 'x' });
        await press(page, 'Create credential');
        await waitForTitle(page, name);
      };
      for (const [values, { scheme }] of WAYS) await store(`${scheme} ${values.way}`, values);
      await store('Orders', { kind: 'CLIENT_CREDENTIALS', 'oauth/client_authentication': 'PRIVATE_KEY_JWT', ...APPLICATION });
      const browsed = { 'oauth/authorization_url': 'https://login.calendar.example/authorize', client_secret: FIRST };
      await store('Calendar', { kind: 'REFRESH_TOKEN', ...APPLICATION, ...browsed });
      const stored = await listCredentials(tenant);
      assert.deepEqual(
        stored.map(({ scheme, placement }: (typeof WAYS)[number][1]) => ({ scheme, placement })),
        [...WAYS.map(([, told]) => told), ...Array(2).fill({ scheme: 'BEARER', placement: {} })],
      );
      const [orders, calendar] = stored.slice(-2);
      assert.equal(orders.oauth.client_authentication, 'PRIVATE_KEY_JWT');
      await page.goto(`/credentials/${orders.id}`);
      await page.getByText(orders.oauth.public_jwk.x).waitFor();
      await page.getByRole('button', { name: 'Revoke: Orders' }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Rotate: Orders' }).count(), 0, 'its key is replaced by another credential');
      await page.getByText('Not recently').waitFor();
      await page.getByRole('link', { name: 'View uses' }).waitFor();
      await page.goto(`/credentials/${calendar.id}`);
      await page.getByText(calendar.oauth.redirect_uri).waitFor();

      await press(page, 'Connect: Calendar');
      await prove(page, tenant);
      const link = page.getByRole('link', { name: 'Continue at login.calendar.example' });
      const to = new URL((await link.getAttribute('href')) ?? '');
      assert.equal(`${to.origin}${to.pathname}`, browsed['oauth/authorization_url']);
      assert.deepEqual([to.searchParams.get('client_id'), to.searchParams.get('redirect_uri')], ['acme', calendar.oauth.redirect_uri]);
      assert.ok(await link.evaluate((each) => each.matches(':focus')));
      await assertPage(page, 'Calendar');

      await page.goto('/credentials');
      const rows = page.getByRole('region', { name: 'Credentials' }).locator('tbody tr[data-row]');
      await rows.nth(stored.length - 1).waitFor();
      await page.getByText('Filter and sort').click();
      const filter = page.getByRole('form', { name: 'Filter and sort' });
      await filter.locator('[name=kind]').selectOption('REFRESH_TOKEN');
      await filter.locator('[name=tool]').fill('x');
      await filter.locator('[name=order]').selectOption('longest_unused');
      await press(page, 'Apply');
      await page.getByText('Orders', { exact: true }).waitFor({ state: 'detached' });
      await page.getByText('Calendar', { exact: true }).waitFor();
      assert.equal(await rows.count(), 1);
      await assertPage(page, 'Credentials');

      while ((await listCredentials(tenant)).length < 26) await newCredential(tenant);
      await page.reload();
      await rows.nth(24).waitFor();
      assert.equal(await rows.count(), 25);
      await press(page, 'Show more');
      await rows.nth(25).waitFor();

      const owner = await planes.database.client();
      const role = 'rol_0000000000000000000READER';
      await owner.query("insert into roles (organization_id, id, name, description, permissions) values ($1, $2, 'Reader', '', $3)", [
        ...[tenant.organization.id, role],
        ['credential:read'],
      ]);
      await owner.query('update members set role_id = $1 where user_id = $2', [role, tenant.user.id]);
      await owner.end();
      await page.reload();
      await rows.first().waitFor();
      assert.equal(await page.getByRole('link', { name: 'New credential' }).count(), 0);
      await page.goto(`/credentials/${calendar.id}`);
      await waitForTitle(page, 'Calendar');
      await page.getByText(calendar.oauth.redirect_uri).waitFor();
      assert.equal(await page.getByRole('button', { name: /^(Test|Rotate|Revoke|Connect)/ }).count(), 0);
      await page.goto('/credentials/new');
      await page.getByRole('alert').getByText('Required permission: credential:create.').waitFor();
    }),
  );
});
