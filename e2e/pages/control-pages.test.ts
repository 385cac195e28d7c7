import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { consolePath } from '@svc/contract/tables/console-routes.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { buildPages } from '@svc/testing/browser/build-pages.ts';
import { openChromium } from '@svc/testing/browser/chromium.ts';
import { lookAt } from '@svc/testing/browser/look-at.ts';
import { awaitStepUp, type Browser, fillIn, foreground, inWindow, type Page, titleOf, type Window } from '@svc/testing/browser/window.ts';
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

const withWindow = (work: (window: Window) => Promise<void>) =>
  inWindow({ browser: () => browser, look: () => ({ baseURL: planes.controlUrl }) }, work);

const signIn = async (page: Page, next: string): Promise<void> => {
  const { email, password } = governed.tenant;
  await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
  await fillIn(page, { email, password });
};

const press = async (page: Page, name: string | RegExp): Promise<void> => {
  await (await foreground(page)).getByRole('button', { name }).first().focus();
  await page.keyboard.press('Enter');
};

const says = (page: Page, text: string | RegExp): Promise<void> => page.getByRole('status').filter({ hasText: text }).first().waitFor();

const confirm = async (page: Page): Promise<void> => {
  await awaitStepUp(page);
  await fillIn(page, { password: governed.tenant.password });
};

const lookInAnyColours = async (page: Page, title: string): Promise<void> => {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await lookAt(page, title);
  }
};

describe('the pages of agents, tools, policies and delegations, with the keyboard, at 400 and 1280 px, in light and dark colours,', () => {
  test(
    'register an agent with a key made in the browser, show its authority, and pause it after the effects are counted',
    withWindow(async ({ page }) => {
      await signIn(page, consolePath('newAgent'));
      await titleOf(page, 'New agent');
      await page.locator('input[name=name]').fill('browser-bot');
      await page.locator('input[name=capabilities]').fill('pay');
      await lookInAnyColours(page, 'New agent');
      await press(page, 'Register');
      await titleOf(page, 'browser-bot is registered');
      assert.match(await page.locator('.secret').innerText(), /^MC4CAQAw/, 'a private key in PKCS8');
      await page.getByRole('link', { name: 'Open browser-bot' }).click();
      await titleOf(page, 'browser-bot');
      await page.getByRole('region', { name: 'Capabilities' }).getByText('pay').waitFor();
      await lookInAnyColours(page, 'browser-bot');
      await press(page, 'Pause');
      await page.getByText(/^Ends: nothing/).waitFor();
      await fillIn(page, { reason: 'test' });
      await says(page, 'Paused: browser-bot.');
      await page.goto(consolePath('overview'));
      await page.getByText('browser-bot is paused').waitFor();
      await lookInAnyColours(page, 'Overview');
    }),
  );

  test(
    'edit a policy next to its failing test, save it, and activate it after a review',
    withWindow(async ({ page }) => {
      await signIn(page, consolePath('policyEditor', { policyId: governed.policyId }));
      await titleOf(page, 'Edit policy');
      const text = page.getByLabel(/^Rules and tests/);
      await page.getByText('1 test passes.').waitFor();
      const read = JSON.parse(await text.inputValue()) as { rules: object[]; tests: object[] };
      const large = { id: 'large', effect: 'BLOCK', when: { field: 'amount', op: 'gt', value: 100 }, reason: 'Too much.' };
      await text.fill(JSON.stringify({ rules: [...read.rules, large], tests: [{ ...read.tests[0], given: { amount: 101 } }] }));
      await page.getByText(/1 fails/).waitFor();
      await lookInAnyColours(page, 'Edit policy');
      await text.fill(JSON.stringify({ rules: [...read.rules, large], tests: read.tests }));
      await page.getByText('1 test passes.').waitFor();
      await press(page, 'Save draft');
      await says(page, 'Saved as version 2, a draft.');
      await press(page, /^Review and activate v2/);
      await page.getByRole('dialog').getByText('1 test passes.').waitFor();
      await page.getByRole('dialog').locator('input[name=reason]').fill('test');
      const accept = page.getByRole('dialog').getByRole('checkbox');
      if ((await accept.count()) > 0) await accept.check();
      await press(page, 'Activate');
      await confirm(page);
      await says(page, 'Activated: version 2.');
      await page.goto(consolePath('policy', { policyId: governed.policyId }));
      await page.getByText('Active v2').waitFor();
      await page.getByText('When amount is more than').waitFor();
      await lookInAnyColours(page, 'base');
    }),
  );

  test(
    'add conditions on parts of texts to a policy from the operators that fit a field, and warn of a piece of a path',
    withWindow(async ({ page }) => {
      await signIn(page, consolePath('policyEditor', { policyId: governed.policyId }));
      await titleOf(page, 'Edit policy');
      const text = page.getByLabel(/^Rules and tests/);
      const form = page.getByRole('region', { name: 'Add a condition' });
      const add = async (field: string, op: string, value: string): Promise<unknown> => {
        await form.getByLabel('Field', { exact: true }).fill(field);
        await form.getByLabel('Comparison', { exact: true }).selectOption(op);
        await form.getByLabel(/^Values?\b/).fill(value);
        await form.getByRole('button', { name: 'Add condition' }).click();
        await says(page, 'Condition added to the text.');
        const read = JSON.parse(await text.inputValue()) as { rules: { when?: unknown }[] };
        return read.rules.at(-1)?.when;
      };
      await form.getByLabel('Effect').selectOption('ALLOW');
      const piece = { field: 'parameters.path', op: 'starts_with', value: '/srv/data/' };
      assert.deepEqual(await add(piece.field, piece.op, piece.value), piece);
      await page.getByText(/Use path_under with a directory/).waitFor();
      const under = { field: 'parameters.path', op: 'path_under', value: '/srv/data' };
      assert.deepEqual(await add(under.field, under.op, under.value), under);
      await form.getByLabel('Rule').selectOption({ index: (await form.getByLabel('Rule').locator('option').count()) - 1 });
      const domains = { field: 'parameters.to', op: 'email_domain_in', value: ['acme.example', 'acme.test'] };
      assert.deepEqual(await add(domains.field, domains.op, 'acme.example, acme.test'), { all: [under, domains] });
      await form.getByLabel('Negate (not)').check();
      const country = { field: 'parameters.***', op: 'eq_ignore_case', value: '7', quantifier: 'any' };
      assert.deepEqual(await add(country.field, country.op, '7'), { all: [under, domains, { not: country }] });
      await lookInAnyColours(page, 'Edit policy');
      await form.getByLabel('Field', { exact: true }).fill('amount');
      assert.equal(await form.getByLabel('Comparison', { exact: true }).locator('option[value=path_under]').count(), 0);
      await press(page, 'Discard changes');
    }),
  );

  test(
    'show a tool and simulate it, and a delegation with what ends with it',
    withWindow(async ({ page }) => {
      await signIn(page, consolePath('tool', { toolId: governed.tool.id }));
      await titleOf(page, governed.tool.name);
      await page.getByRole('region', { name: 'Agents' }).getByText(governed.agent.name).waitFor();
      await page.getByLabel('Agent', { exact: true }).selectOption({ label: governed.agent.name });
      await press(page, 'Simulate');
      await page.getByText('Allowed', { exact: true }).first().waitFor();
      await lookInAnyColours(page, governed.tool.name);
      const { json } = await governed.owner('POST', '/v1/delegations', { delegate_agent_id: governed.agent.id });
      await page.goto(consolePath('delegations'));
      const box = page.getByRole('button', { name: new RegExp(`^${governed.agent.name}`) });
      await box.press('ArrowLeft');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/delegations?selected=${json.id}`);
      await page.getByText('Only this delegation ends.').waitFor();
      await lookInAnyColours(page, 'Delegations');
      await page.getByRole('radio', { name: 'Table' }).check();
      await page
        .getByRole('link', { name: new RegExp(governed.agent.name) })
        .first()
        .waitFor();
      await lookInAnyColours(page, 'Delegations');
      await page.goto(consolePath('delegation', { delegationId: json.id }));
      await page.getByText('Only this delegation ends.').first().waitFor();
      await lookAt(page, `to ${governed.agent.name}`);
      await press(page, 'Revoke');
      await fillIn(page, { reason: 'test' });
      await says(page, 'Revoked.');
    }),
  );

  test(
    'are found by name and by a pasted id with Ctrl-K',
    withWindow(async ({ page }) => {
      await signIn(page, consolePath('overview'));
      await titleOf(page, 'Overview');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Page, name or id' }).fill('delegat');
      await page.getByRole('option', { name: /^Delegations/ }).waitFor();
      await page.keyboard.press('Enter');
      await titleOf(page, 'Delegations');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Page, name or id' }).fill(governed.tool.id);
      await page.getByRole('option', { name: new RegExp(governed.tool.id) }).waitFor();
      await page.keyboard.press('Enter');
      await titleOf(page, governed.tool.name);
    }),
  );
});
