import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { buildPages } from '@svc/testing/browser/build-pages.ts';
import { openChromium } from '@svc/testing/browser/chromium.ts';
import { assertPage } from '@svc/testing/browser/look-at.ts';
import { awaitStepUp, type Browser, fillFill, getForeground, type Page, testInWindow, waitForTitle } from '@svc/testing/browser/window.ts';
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

const withWindow = (work: Parameters<typeof testInWindow>[1]) =>
  testInWindow({ browser: () => browser, look: () => ({ baseURL: planes.controlUrl }) }, work);

const signIn = async (page: Page, next: string): Promise<void> => {
  const { email, password } = governed.tenant;
  await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
  await fillFill(page, { email, password });
};

const press = async (page: Page, name: string | RegExp): Promise<void> => {
  await (await getForeground(page)).getByRole('button', { name }).first().focus();
  await page.keyboard.press('Enter');
};

const says = (page: Page, text: string | RegExp): Promise<void> => page.getByRole('status').filter({ hasText: text }).first().waitFor();

const confirm = async (page: Page): Promise<void> => {
  await awaitStepUp(page);
  await fillFill(page, { password: governed.tenant.password });
};

const lookInAnyColours = async (page: Page, title: string): Promise<void> => {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await assertPage(page, title);
  }
};

describe('the pages of agents, tools, policies and delegations, with the keyboard, at 400 and 1280 px, in light and dark colours,', () => {
  test(
    'register an agent with a key made in the browser, show its authority, and pause it after the effects are counted',
    withWindow(async ({ page }) => {
      await signIn(page, buildConsolePath('newAgent'));
      await waitForTitle(page, 'New agent');
      await page.locator('input[name=name]').fill('browser-bot');
      await page.locator('input[name=capabilities]').fill('pay');
      await lookInAnyColours(page, 'New agent');
      await press(page, 'Register');
      await waitForTitle(page, 'browser-bot is registered');
      assert.match(await page.locator('.secret').innerText(), /^MC4CAQAw/, 'a private key in PKCS8');
      await page.getByRole('link', { name: 'Open browser-bot' }).click();
      await waitForTitle(page, 'browser-bot');
      await page.getByRole('region', { name: 'Capabilities' }).getByText('pay').waitFor();
      await lookInAnyColours(page, 'browser-bot');
      await press(page, 'Pause');
      await page.getByText(/^Ends: nothing/).waitFor();
      await fillFill(page, { reason: 'test' });
      await says(page, 'Paused: browser-bot.');
      await page.goto(buildConsolePath('overview'));
      await page.getByText('browser-bot is paused').waitFor();
      await lookInAnyColours(page, 'Overview');
    }),
  );

  test(
    'edit the JSON of a policy beside its failing test, save it, and activate it on the review page, which a second person opens by its link',
    withWindow(async ({ page }, another) => {
      await signIn(page, `${buildConsolePath('policyEditor', { policyId: governed.policyId })}?view=json`);
      await waitForTitle(page, 'Edit policy');
      const text = page.getByLabel(/^Rules and tests/);
      await page.getByText('1 test passes.').waitFor();
      const read = JSON.parse(await text.inputValue()) as { rules: object[]; tests: object[] };
      const large = { id: 'large', effect: 'BLOCK', when: { field: 'amount', op: 'gt', value: 100 }, reason: 'Too much.' };
      await text.fill(JSON.stringify({ rules: [...read.rules, large], tests: [{ ...read.tests[0], given: { amount: 101 } }] }));
      await page.getByText(/1 fails/).waitFor();
      await lookInAnyColours(page, 'Edit policy');
      await press(page, 'Save draft');
      await says(page, 'Saved as version 2, a draft.');
      await page.getByRole('link', { name: 'Review v2' }).click();
      await waitForTitle(page, 'Review v2');
      await page.getByText('Fix the failing test.').waitFor();
      assert.equal(await page.getByRole('button', { name: /^Activate/ }).count(), 0);
      await lookInAnyColours(page, 'Review v2');
      await page.getByRole('link', { name: 'Edit', exact: true }).click();
      await page.getByRole('radio', { name: 'JSON' }).check();
      await text.fill(JSON.stringify({ rules: [...read.rules, large], tests: read.tests }));
      await page.getByText('1 test passes.').waitFor();
      await page.keyboard.press('Control+s');
      await says(page, 'Saved as version 3, a draft.');
      await page.getByRole('link', { name: 'Review v3' }).click();
      await waitForTitle(page, 'Review v3');
      const { page: second } = await another();
      await signIn(second, new URL(page.url()).pathname);
      await waitForTitle(second, 'Review v3');
      const rules = second.getByRole('region', { name: 'Rules', exact: true });
      await rules.getByRole('heading', { name: 'Rules: 1 added, 0 changed, 0 removed' }).waitFor();
      await rules.locator('ins').filter({ hasText: '"Too much."' }).first().waitFor();
      await second.locator('input[name=reason]').fill('test');
      const accept = second.getByRole('checkbox', { name: /^Activate with/ });
      if ((await accept.count()) > 0) await accept.check();
      await press(second, 'Activate v3');
      await confirm(second);
      await says(second, 'Activated: version 3.');
      await second.getByText('This version is active.').waitFor();
      await page.goto(buildConsolePath('policy', { policyId: governed.policyId }));
      await page.getByText('Active v3').waitFor();
      await page.getByText('When amount is more than').waitFor();
      await lookInAnyColours(page, 'base');
    }),
  );

  test(
    'edit a policy in the builder, which changes one value of the text at a time, offers what fits a field, and warns at the rule',
    withWindow(async ({ page }) => {
      await signIn(page, `${buildConsolePath('policyEditor', { policyId: governed.policyId })}?view=json`);
      await waitForTitle(page, 'Edit policy');
      const text = page.getByLabel(/^Rules and tests/);
      const element = { of: 'parameters.items.*', meets: { field: 'parameters.items.*.price', op: 'gt', value: 5 } };
      const before = JSON.stringify({
        rules: [
          { id: 'files', effect: 'ALLOW', when: { field: 'parameters.path', op: 'path_under', value: '/srv/data' }, reason: 'Files.' },
          { id: 'items', effect: 'BLOCK', when: { any_element: element }, reason: 'Items.' },
        ],
        tests: [],
      }).replace('"items", ', '"items",   ');
      await text.fill(before);
      await page.getByRole('radio', { name: 'Builder' }).check();
      const files = page.getByRole('region', { name: 'Rule files' });
      await files.getByLabel('Comparison').selectOption('starts_with');
      await files.getByLabel('Value', { exact: true }).fill('/srv/data/');
      await files.getByText(/Use path_under with a directory/).waitFor({ timeout: 120_000 });
      await files.getByRole('button', { name: 'Add condition' }).click();
      const row = files.locator('.condition-row').last();
      await row.getByLabel('Field').fill('amount');
      assert.equal(await row.getByLabel('Comparison').locator('option[value=path_under]').count(), 0);
      await row.getByLabel('Comparison').selectOption('lte');
      await row.getByLabel('Value').fill('300');
      await row.getByLabel('Not', { exact: true }).check();
      const items = page.getByRole('region', { name: 'Rule items' });
      await items.getByText('Shown as JSON, since it uses any_element.').waitFor();
      await lookInAnyColours(page, 'Edit policy');
      await items.getByRole('button', { name: 'Edit as JSON' }).click();
      const selected = await text.evaluate((field) => {
        const { value, selectionStart, selectionEnd } = field as unknown as HTMLTextAreaElement;
        return value.slice(selectionStart, selectionEnd);
      });
      assert.deepEqual(JSON.parse(selected), { id: 'items', effect: 'BLOCK', when: { any_element: element }, reason: 'Items.' });
      const [first] = (JSON.parse(await text.inputValue()) as { rules: { when: unknown }[] }).rules;
      assert.deepEqual(first?.when, {
        all: [{ field: 'parameters.path', op: 'starts_with', value: '/srv/data/' }, { not: { field: 'amount', op: 'lte', value: 30_000 } }],
      });
      assert.ok((await text.inputValue()).endsWith(before.slice(before.indexOf('{"id":"items"'))), 'the rest is as it was written');
      const whole = await text.inputValue();
      await text.fill(whole.replace('"rules":[', '"rules":[,'));
      await page.getByRole('radio', { name: 'Builder' }).check();
      await page.getByText(/^The JSON has an error in line \d+, column \d+$/).waitFor();
      assert.equal(await files.getByLabel('Value', { exact: true }).first().inputValue(), '/srv/data/');
      assert.ok(
        await files.getByLabel('Value', { exact: true }).first().isDisabled(),
        'the last view that could be read cannot be changed',
      );
      await assertPage(page, 'Edit policy');
      await page.getByRole('button', { name: /^Go to line/ }).click();
      assert.equal(await text.inputValue(), whole.replace('"rules":[', '"rules":[,'), 'switching keeps the text');
      await text.fill(whole);
      await page.getByRole('radio', { name: 'Builder' }).check();
      await page.reload();
      await files.getByLabel('Value', { exact: true }).first().waitFor();
      await press(page, 'Discard changes');
    }),
  );

  test(
    'try a template on recorded actions before it is used, and change where a policy applies',
    withWindow(async ({ page }) => {
      await signIn(page, buildConsolePath('newPolicy'));
      await waitForTitle(page, 'New policy');
      await press(page, 'Try: Change freeze');
      const card = page.locator('.template-card').filter({ hasText: 'Change freeze' });
      await card.getByText(/tests? pass/).waitFor();
      await lookInAnyColours(page, 'New policy');
      await press(page, 'Use: Change freeze');
      await fillFill(page, { name: 'Freeze' });
      await waitForTitle(page, 'Edit policy');
      await page.getByRole('link', { name: 'Freeze' }).click();
      await waitForTitle(page, 'Freeze');
      const where = page.getByRole('region', { name: 'Applies to' });
      await where.getByText('Whole organization', { exact: true }).waitFor();
      await press(page, 'Add scope');
      await page
        .getByRole('dialog')
        .getByLabel('Scope')
        .selectOption({ label: `Agent ${governed.agent.name}` });
      await page.getByRole('dialog').locator('input[name=reason]').fill('test');
      await assertPage(page, 'Freeze');
      await press(page, 'Apply');
      await confirm(page);
      await where.getByText(`Agent ${governed.agent.name}`).waitFor();
      await press(page, /^Remove: Whole organization/);
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Remove/ })
        .click();
      await where.getByText('Whole organization', { exact: true }).waitFor({ state: 'detached' });
    }),
  );

  test(
    'show a tool and simulate it, and a delegation with what ends with it',
    withWindow(async ({ page }) => {
      await signIn(page, buildConsolePath('tool', { toolId: governed.tool.id }));
      await waitForTitle(page, governed.tool.name);
      await page.getByRole('region', { name: 'Agents' }).getByText(governed.agent.name).waitFor();
      await page.getByLabel('Agent', { exact: true }).selectOption({ label: governed.agent.name });
      await press(page, 'Simulate');
      await page.getByText('Allowed', { exact: true }).first().waitFor();
      await lookInAnyColours(page, governed.tool.name);
      const { json } = await governed.owner('POST', '/v1/delegations', { delegate_agent_id: governed.agent.id });
      await page.goto(buildConsolePath('delegations'));
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
      await page.goto(buildConsolePath('delegation', { delegationId: json.id }));
      await page.getByText('Only this delegation ends.').first().waitFor();
      await assertPage(page, `to ${governed.agent.name}`);
      await press(page, 'Revoke');
      await fillFill(page, { reason: 'test' });
      await says(page, 'Revoked.');
    }),
  );

  test(
    'narrow lists to the chosen environment, show its mode, and state it in the address, which shows the same in a second profile',
    withWindow(async ({ page }, another) => {
      const { json: workspace } = await governed.owner('POST', '/v1/workspaces', { name: 'Elsewhere' });
      const body = { name: 'Trial', type: 'STAGING', workspace_id: workspace.id };
      const { json: environment } = await governed.owner('POST', '/v1/environments', body);
      const observed = await governed.owner('POST', `/v1/environments/${environment.id}/gateway-mode`, { mode: 'OBSERVE', reason: 'test' });
      assert.equal(observed.status, 200, observed.text);
      await signIn(page, buildConsolePath('agents'));
      await waitForTitle(page, 'Agents');
      const own = (at: Page) => at.getByRole('table').getByRole('link', { name: governed.agent.name, exact: true });
      await own(page).first().waitFor();
      await page.getByLabel('Scope').selectOption(environment.id);
      await own(page).first().waitFor({ state: 'detached' });
      assert.equal(new URL(page.url()).searchParams.get('scope'), environment.id);
      await page.getByRole('banner').getByText('Observing').waitFor();
      await lookInAnyColours(page, 'Agents');
      const { page: second } = await another();
      await signIn(second, page.url().slice(planes.controlUrl.length));
      await waitForTitle(second, 'Agents');
      await second.getByRole('banner').getByText('Observing').waitFor();
      assert.equal(await own(second).count(), 0);
      await page.goto(buildConsolePath('agent', { agentId: governed.agent.id }));
      await waitForTitle(page, governed.agent.name);
      await page.goto(buildConsolePath('actions'));
      await page.waitForURL(`**/actions?scope=${environment.id}`);
      await page.getByLabel('Scope').selectOption('all');
      await page.waitForURL('**/actions?scope=all');
      await page.goto(buildConsolePath('agents'));
      await own(page).first().waitFor();
    }),
  );

  test(
    'are found by name and by a pasted id with Ctrl-K',
    withWindow(async ({ page }) => {
      await signIn(page, buildConsolePath('overview'));
      await waitForTitle(page, 'Overview');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Page, action, name or id' }).fill('delegat');
      await page.getByRole('option', { name: /^Delegations/ }).waitFor();
      await page.keyboard.press('Enter');
      await waitForTitle(page, 'Delegations');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Page, action, name or id' }).fill(governed.tool.id);
      await page.getByRole('option', { name: new RegExp(governed.tool.id) }).waitFor();
      await page.keyboard.press('Enter');
      await waitForTitle(page, governed.tool.name);
    }),
  );
});
