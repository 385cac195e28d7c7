import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { MCP_ENV } from '@svc/testing/agents/mcp-scene.ts';
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
import { type A2aAgent, startA2aAgent } from '@svc/testing/peers/a2a-agent.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { newTenant, type SignedUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let browser: Browser | string;
const partners: A2aAgent[] = [];
before(async () => {
  buildPages();
  [planes, browser] = await Promise.all([leasePlanes({ env: MCP_ENV }), openChromium()]);
});
after(async () => {
  if (typeof browser !== 'string') await browser?.close();
  await Promise.all([...partners.map((partner) => partner.close()), planes?.stop()]);
});

const newPartner = async (): Promise<A2aAgent> => {
  const partner = await startA2aAgent();
  partners.push(partner);
  return partner;
};

const withWindow = (work: (window: TestWindow) => Promise<void>) =>
  testInWindow({ browser: () => browser, look: () => ({ baseURL: planes.controlUrl }) }, work);

const openPage = async (
  page: Page,
  { email, password }: Pick<SignedUp, 'email' | 'password'>,
  next: string,
  title: string,
): Promise<void> => {
  await page.goto(`/sign-in?next=${next}`);
  await fillFill(page, { email, password });
  await waitForTitle(page, title);
};

/** Presses a button with the keyboard. */
const press = async (page: Page, name: string): Promise<void> => {
  await (await getForeground(page)).getByRole('button', { name, exact: true }).focus();
  await page.keyboard.press('Enter');
};

const says = (page: Page, text: string): Promise<void> => page.getByRole('status').filter({ hasText: text }).waitFor();

const write = async (page: Page, values: Readonly<Record<string, string>>): Promise<void> => {
  const form = (await getForeground(page)).locator('form').last();
  for (const [name, value] of Object.entries(values)) {
    const field = form.locator(`[name="${name}"]`);
    await field.waitFor();
    if (await field.evaluate((each) => each.matches('select'))) await field.selectOption(value);
    else await field.fill(value);
  }
};

const listConnections = ({ token }: Tenant) => mustCall(planes.controlUrl, 'GET', '/v1/a2a/connections', { token });

describe('the pages of A2A connections and of routes, with the keyboard, at 400 and 1280 px,', () => {
  test(
    'register a connection after marking a bad key, show its checks, edit it, block, release and remove it',
    withWindow(async ({ page }) => {
      const tenant = await newTenant(planes);
      const partner = await newPartner();
      await openPage(page, tenant, '/a2a', 'A2A connections');
      await page.getByText('No A2A connections yet').waitFor();
      await page.getByRole('link', { name: 'Register a connection' }).first().click();
      await write(page, { name: 'Booking', card_url: partner.cardUrl, keys: 'no key' });
      await press(page, 'Register');
      await page.getByRole('alert').first().waitFor();
      assert.deepEqual(await listConnections(tenant), []);
      await assertPage(page, 'Register an A2A connection');
      await write(page, { keys: JSON.stringify(partner.key.jwk) });
      await press(page, 'Register');
      await waitForTitle(page, 'Booking');
      await page.getByText('Not verified yet').waitFor();

      await press(page, 'Verify: Booking');
      await says(page, 'Booking is verified.');
      await page.getByText('Signed with a registered key').waitFor();
      await assertPage(page, 'Booking');
      assert.equal((await listConnections(tenant))[0].status, 'VERIFIED');

      await press(page, 'Edit: Booking');
      await write(page, { name: 'Bookings' });
      await press(page, 'Save');
      await says(page, 'Bookings is saved.');

      await press(page, 'Block: Bookings');
      await write(page, { reason: 'The partner reports a stolen key.' });
      await press(page, 'Block');
      await says(page, 'Bookings is blocked.');
      await page.getByText('The partner reports a stolen key.').waitFor();
      assert.equal((await listConnections(tenant))[0].status, 'BLOCKED');

      await press(page, 'Release: Bookings');
      await write(page, { reason: 'The partner has a new key.' });
      await press(page, 'Verify and release');
      await awaitStepUp(page);
      await fillFill(page, { password: tenant.password });
      await says(page, 'Bookings is verified.');
      assert.equal((await listConnections(tenant))[0].status, 'VERIFIED');

      await press(page, 'Remove: Bookings');
      await press(page, 'Remove');
      await waitForTitle(page, 'A2A connections');
      assert.deepEqual(await listConnections(tenant), []);
    }),
  );

  test(
    'show why a forged card is refused',
    withWindow(async ({ page }) => {
      const tenant = await newTenant(planes);
      const partner = await newPartner();
      partner.forge = (signed) => signed.replace('Answers messages.', 'Answers everything.');
      await openPage(page, tenant, '/a2a/new', 'Register an A2A connection');
      await write(page, { name: 'Forged', card_url: partner.cardUrl, keys: JSON.stringify(partner.key.jwk) });
      await press(page, 'Register');
      await waitForTitle(page, 'Forged');
      await press(page, 'Verify: Forged');
      await page.getByRole('alert').first().waitFor();
      await press(page, 'Refresh');
      await page.getByText('Failed').first().waitFor();
      assert.notEqual((await listConnections(tenant))[0].status, 'VERIFIED');
    }),
  );

  test(
    'register an INBOUND connection to an agent',
    withWindow(async ({ page }) => {
      const tenant = await newTenant(planes);
      const agent = await newAgent(tenant, { name: 'desk' });
      const partner = await newPartner();
      await openPage(page, tenant, '/a2a/new', 'Register an A2A connection');
      await write(page, { direction: 'INBOUND' });
      await write(page, { agent_id: agent.id, agent_url: `${partner.url}/a2a` });
      await write(page, { name: 'Caller', card_url: partner.cardUrl, keys: JSON.stringify(partner.key.jwk) });
      await assertPage(page, 'Register an A2A connection');
      await press(page, 'Register');
      await waitForTitle(page, 'Caller');
      const [connection] = await listConnections(tenant);
      assert.deepEqual([connection.direction, connection.agent_id, connection.agent_url], ['INBOUND', agent.id, `${partner.url}/a2a`]);
    }),
  );

  test(
    'edit the routes of a tool after marking a bad one',
    withWindow(async ({ page }) => {
      const tenant = await newTenant(planes);
      const { token, environment_id } = tenant;
      const body = { name: 'orders.read', environment_id, required_capability: 'orders', kind: 'SDK' };
      const tool = await mustCall(planes.controlUrl, 'POST', '/v1/tools', { token, body });
      await openPage(page, tenant, `/tools/${tool.id}`, 'orders.read');
      await page.getByText('No request at a proxy is decided as a call of this tool.').waitFor();
      await press(page, 'Edit routes');
      await write(page, { routes: 'orders-api GET orders', reason: 'test' });
      await press(page, 'Save');
      await page.getByRole('alert').first().waitFor();
      await write(page, { routes: 'orders-api get /orders/{order}\n\norders-api POST /orders' });
      await press(page, 'Save');
      await says(page, 'Routes are saved.');
      await page.getByText('orders-api GET /orders/{order}', { exact: true }).waitFor();
      await assertPage(page, 'orders.read');
      const { routes } = await mustCall(planes.controlUrl, 'GET', `/v1/tools/${tool.id}/routes`, { token });
      assert.equal(routes.length, 2);
    }),
  );
});
