import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
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
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertRiskEvent } from '@svc/testing/records/insert-risk-event.ts';

let planes: Planes;
let browser: Browser | string;
let governed: Governed;
before(async () => {
  buildPages();
  [planes, browser] = await Promise.all([leasePlanes(), openChromium()]);
  governed = await newGoverned(planes, {
    tool: { destination_allowlist: ['*.example.com'], destination_from: '/url', parameters_schema: { type: 'object' } },
    rules: [{ id: 'allow', effect: 'ALLOW', reason: 'Allowed here.' }],
  });
});
after(async () => {
  if (typeof browser !== 'string') await browser?.close();
  await planes?.stop();
});

const withWindow = (work: (window: TestWindow) => Promise<void>) =>
  testInWindow({ browser: () => browser, look: () => ({ baseURL: planes.controlUrl }) }, work);

const signIn = async (page: Page, next: string, { email, password } = governed.tenant): Promise<void> => {
  await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
  await fillFill(page, { email, password });
};

const press = async (page: Page, name: string | RegExp): Promise<void> => {
  await (await getForeground(page)).getByRole('button', { name }).first().focus();
  await page.keyboard.press('Enter');
};

const says = (page: Page, text: string | RegExp): Promise<void> => page.getByRole('status').filter({ hasText: text }).first().waitFor();

const SECRET = `ghp_${'a1B2'.repeat(9)}`;

describe('the pages of risk, with the keyboard and without axe findings,', () => {
  test(
    'show agents, signals and events, accept a verdict with an exception, and show the exception with its end',
    withWindow(async ({ page }) => {
      await signIn(page, buildConsolePath('overview'));
      await waitForTitle(page, 'Overview');
      await page.keyboard.press('g');
      await page.keyboard.press('x');
      await waitForTitle(page, 'Risk');
      await page.getByText('No agent has open risk events.').waitFor();
      await page.getByText('No risk events. Scores below the threshold').waitFor();
      await assertPage(page, 'Risk');
      const { riskEventId } = await insertRiskEvent(planes.database, governed.agent.id, 'an unknown place');
      await page.reload();
      await page.getByRole('link', { name: governed.agent.name }).waitFor();
      await page.getByText('The agent called an unknown place.').waitFor();
      await assertPage(page, 'Risk');
      await page.goto(buildConsolePath('riskEvent', { riskEventId }));
      await waitForTitle(page, 'New destination');
      await assertPage(page, 'New destination');
      await press(page, 'Expected');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Exception for this agent, signal and subject').selectOption({ label: 'for 7 days' });
      await dialog.locator('input[name=comment]').fill('A new partner.');
      await dialog.getByRole('button', { name: 'Expected', exact: true }).click();
      await says(page, 'The verdict is recorded: Expected.');
      await page.getByText('A new partner.').waitFor();
      assert.equal(await page.getByRole('button', { name: 'False alarm' }).count(), 0);
      await page.goto(buildConsolePath('agent', { agentId: governed.agent.id }));
      await page.getByRole('region', { name: 'Exceptions' }).getByText('New destination').waitFor();
    }),
  );

  test(
    'declare what flows through a tool and under which key its store keeps labels; loosening needs a step-up',
    withWindow(async ({ page }) => {
      const tool = await governed.owner('POST', '/v1/tools', {
        ...{ name: 'notes.save', environment_id: governed.tenant.environment_id, required_capability: 'pay', kind: 'SDK' },
      });
      const declared = async () => (await governed.owner('GET', `/v1/tools/${tool.json.id}/flow`)).json;
      await signIn(page, buildConsolePath('tool', { toolId: tool.json.id }));
      await waitForTitle(page, 'notes.save');
      const panel = page.getByRole('region', { name: 'Data flow' });
      await panel.getByText('Nothing is declared.').waitFor();
      await press(page, 'Declare data flow');
      const dialog = page.getByRole('dialog', { name: 'Declare data flow' });
      await dialog.getByText('The key keeps the labels of the agent for every agent of the environment.').waitFor();
      await dialog.getByLabel('Labels of its results').fill('personal_data, Wrong Label');
      await dialog.getByLabel('Stores under').fill('path');
      await dialog.getByLabel('Reason').fill('Notes of agents.');
      await dialog.getByRole('button', { name: 'Save' }).press('Enter');
      await dialog.getByRole('alert').waitFor();
      await assertPage(page, 'notes.save');
      await dialog.getByLabel('Labels of its results').fill('personal_data');
      await dialog.getByLabel('What it is given').selectOption({ label: 'Stays inside the organization' });
      await dialog.getByLabel('Stores under').fill('/path');
      await dialog.getByLabel('Reads from').fill('/from');
      await dialog.getByRole('button', { name: 'Save' }).press('Enter');
      await awaitStepUp(page);
      await fillFill(page, { password: governed.tenant.password });
      await says(page, 'The data flow is declared.');
      await panel.getByText('/path').waitFor();
      const { labels, reach, store_key_from, load_key_from } = await declared();
      assert.deepEqual([labels, reach, store_key_from, load_key_from], [['personal_data'], 'INTERNAL', '/path', '/from']);

      await press(page, 'Declare data flow');
      await dialog.getByLabel('Stores under').fill('/other');
      await dialog.getByLabel('Reason').fill('Another member.');
      await dialog.getByRole('button', { name: 'Save' }).press('Enter');
      await says(page, 'The data flow is declared.');
      await panel.getByText('/other').waitFor();
      assert.deepEqual(
        [(await declared()).store_key_from, (await declared()).load_key_from, (await declared()).labels],
        ['/other', '/from', ['personal_data']],
      );
    }),
  );

  test(
    'show how the points of a request add up, and how many decisions a threshold would have reached; raising it needs a step-up',
    withWindow(async ({ page }) => {
      const { json } = await governed.act({ parameters: { url: 'https://api.example.com/in', text: SECRET } });
      await signIn(page, buildConsolePath('action', { actionId: json.action_id }));
      await page.getByText('The score is 40.').waitFor();
      await page.goto(buildConsolePath('riskSettings', { environmentId: governed.tenant.environment_id }));
      await waitForTitle(page, 'Risk settings');
      await page.getByText('had a score of at least 40').waitFor();
      const elevated = page.getByLabel('Elevated');
      await elevated.fill('41');
      await page.getByText(/^In the last 24 hours, 0 of \d+ decisions? had a score of at least 41/).waitFor();
      await assertPage(page, 'Risk settings');
      await page.locator('input[name=reason]').fill('Too many.');
      await press(page, 'Save thresholds');
      await awaitStepUp(page);
      await fillFill(page, { password: governed.tenant.password });
      await says(page, 'The thresholds are saved.');
      const settings = await governed.owner('GET', `/v1/environments/${governed.tenant.environment_id}/risk-settings`);
      assert.equal(settings.json.thresholds.elevated, 41);
    }),
  );

  test(
    'create a rule that opens incidents, and disable it with a step-up',
    withWindow(async ({ page }) => {
      await signIn(page, buildConsolePath('incidents'));
      await waitForTitle(page, 'Incidents');
      await page.getByText('No rules. A rule opens one incident').waitFor();
      await press(page, 'New rule');
      const dialog = page.getByRole('dialog');
      await dialog.locator('input[name=name]').fill('Risky requests');
      await dialog.getByLabel('Condition').selectOption({ label: 'Risk score of a request' });
      await dialog.locator('input[name=score]').fill('60');
      await dialog.locator('input[name=reason]').fill('test');
      await assertPage(page, 'Incidents');
      await dialog.getByRole('button', { name: 'Create rule' }).click();
      await says(page, 'Risky requests is created.');
      await page.getByText('Risk score of a request: at least 60').waitFor();
      await assertPage(page, 'Incidents');
      await press(page, 'Disable: Risky requests');
      await fillFill(page, { reason: 'test' });
      await awaitStepUp(page);
      await fillFill(page, { password: governed.tenant.password });
      await says(page, 'Risky requests is disabled.');
      const { json } = await governed.owner('GET', '/v1/incident-rules');
      assert.deepEqual(
        json.map(({ enabled, score }: { enabled: boolean; score: number }) => [enabled, score]),
        [[false, 60]],
      );
    }),
  );

  test(
    'show a person without the permission to assess which one is missing, and no buttons',
    withWindow(async ({ page }) => {
      const { agent, tenant } = await newGoverned(planes);
      const { riskEventId } = await insertRiskEvent(planes.database, agent.id, 'a second place');
      const database = await planes.database.client();
      const viewer = getBuiltInRole('viewer').id;
      await database.query('update members set role_id = $2 where organization_id = $1', [tenant.organization_id, viewer]);
      await database.end();
      await signIn(page, buildConsolePath('riskEvent', { riskEventId }), tenant);
      await page.getByText('risk:acknowledge').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Expected' }).count(), 0);
      await assertPage(page, 'New destination');
      await page.goto(buildConsolePath('riskSettings', { environmentId: tenant.environment_id }));
      await page.getByText('risk:update').waitFor();
      await page.getByText('had a score of at least 40').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Save thresholds' }).count(), 0);
      await assertPage(page, 'Risk settings');
    }),
  );
});
