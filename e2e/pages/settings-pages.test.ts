import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
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
import { call } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertRuntimeWorkflow } from '@svc/testing/records/insert-runtime-workflow.ts';

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

const withWindow = (work: (window: TestWindow) => Promise<void>) =>
  testInWindow({ browser: () => browser, look: () => ({ baseURL: planes.controlUrl }) }, work);

const openPage = async (page: Page, next: string): Promise<void> => {
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

describe('settings and integrations, with the keyboard and without axe findings,', () => {
  test(
    'create an API key, use its token, rotate and revoke it',
    withWindow(async ({ page }) => {
      await openPage(page, buildConsolePath('apiKeys'));
      await waitForTitle(page, 'API keys');
      await press(page, 'New API key');
      await fillFill(page, { name: 'ci job' });
      await page.getByRole('group', { name: 'Token of ci job' }).waitFor();
      const token = await page.locator('.secret').innerText();
      assert.equal((await call(planes.controlUrl, 'GET', '/v1/agents', { token })).status, 200);
      await assertPage(page, 'API keys');
      await press(page, 'I have saved it');
      await press(page, 'Rotate: ci job');
      await press(page, 'Rotate');
      await page
        .getByRole('group', { name: 'Token of ci job' })
        .getByText(/The previous token is accepted until/)
        .waitFor();
      assert.notEqual(await page.locator('.secret').innerText(), token);
      await press(page, 'Revoke: ci job');
      await press(page, 'Revoke');
      await says(page, 'ci job is revoked.');
      assert.equal((await call(planes.controlUrl, 'GET', '/v1/agents', { token })).status, 401);
    }),
  );

  test(
    'create a role from permissions, read what they allow, and delete it',
    withWindow(async ({ page }) => {
      await openPage(page, buildConsolePath('roles'));
      await waitForTitle(page, 'Roles');
      await press(page, 'New role');
      const dialog = page.getByRole('dialog');
      await dialog.locator('input[name=name]').fill('refund readers');
      await dialog.getByRole('checkbox', { name: 'action:read', exact: true }).check();
      await dialog.getByRole('button', { name: 'Create role' }).click();
      await waitForTitle(page, 'refund readers');
      await page.getByRole('region', { name: 'Permissions' }).first().getByText('action:read').waitFor();
      await assertPage(page, 'refund readers');
      await press(page, 'Delete: refund readers');
      await press(page, 'Delete');
      await waitForTitle(page, 'Roles');
      await page.getByRole('link', { name: 'approver', exact: true }).waitFor();
      await assertPage(page, 'Roles');
    }),
  );

  test(
    'reduce the mode of an environment with a reason and a step-up, pause it, and create another',
    withWindow(async ({ page }) => {
      await openPage(page, buildConsolePath('environments'));
      await waitForTitle(page, 'Environments');
      const { json: environment } = await governed.owner('GET', `/v1/environments/${governed.tenant.environment_id}`);
      const name = environment?.name ?? (await governed.owner('GET', '/v1/environments')).json[0].name;
      await press(page, `Set mode: ${name}`);
      const dialog = page.getByRole('dialog');
      await dialog.locator('select[name=mode]').selectOption('OBSERVE');
      await dialog.locator('input[name=reason]').fill('trial');
      await dialog.getByRole('button', { name: 'Set mode' }).click();
      await confirm(page);
      await says(page, /Requests run even if a policy denies them/);
      await assertPage(page, 'Environments');
      await press(page, `Pause: ${name}`);
      await fillFill(page, { reason: 'trial' });
      await says(page, /is paused\. Every request is blocked\./);
      await press(page, 'New environment');
      await fillFill(page, { name: 'second' });
      await says(page, /^second was created/);
    }),
  );

  test(
    'register an editor as a runtime, read its findings and evidence, accept a risk, and pause it',
    withWindow(async ({ page }) => {
      await openPage(page, buildConsolePath('runtimes'));
      await waitForTitle(page, 'Runtimes');
      await page.getByRole('region', { name: 'Posture' }).getByText('Unknown').first().waitFor();
      await press(page, 'Register runtime');
      const dialog = page.getByRole('dialog');
      await dialog.locator('input[name=name]').fill('editor');
      await dialog.locator('select').first().selectOption('MCP_CLIENT');
      await dialog.getByRole('button', { name: 'Register', exact: true }).click();
      await waitForTitle(page, 'editor');
      const runtimeId = page.url().split('/').at(-1) ?? '';
      const content = JSON.stringify({ mcpServers: { gh: { command: 'npx', args: ['-y', 'server-github'] } } });
      const reported = await governed.owner('POST', `/v1/runtimes/${runtimeId}/reports`, {
        files: [{ path: '/project/.mcp.json', content }],
      });
      assert.equal(reported.status, 201, reported.text);
      await press(page, /^Verify now/);
      await says(page, /^Verification started/);
      await page
        .getByRole('region', { name: 'Findings' })
        .getByRole('button', { name: /^Accept risk/ })
        .first()
        .waitFor({ timeout: 60_000 });
      await assertPage(page, 'editor');
      await press(page, /^Accept risk/);
      await page.getByRole('dialog').locator('input[name=reason]').fill('trial');
      await page.getByRole('dialog').getByRole('button', { name: 'Accept risk', exact: true }).click();
      await confirm(page);
      await says(page, /^The risk is accepted/);
      await press(page, 'Pause: editor');
      await fillFill(page, { reason: 'trial' });
      await says(page, /its agent is refused/);
      await page.goto(buildConsolePath('runtimes'));
      await page.getByRole('link', { name: 'editor' }).waitFor();
      await assertPage(page, 'Runtimes');
    }),
  );

  test(
    'read a workflow of an instance as a drawing and as a table, and the evidence of a run',
    withWindow(async ({ page }) => {
      const { workspace_id, environment_id } = governed.tenant;
      const registered = await governed.owner('POST', '/v1/runtimes', {
        ...{ name: 'automation', kind: 'WORKFLOW_AUTOMATION', workspace_id, environment_id },
        base_url: 'https://automation.service.example',
      });
      assert.equal(registered.status, 201, registered.text);
      const runtimeId: string = registered.json.id;
      const { workflowId } = await insertRuntimeWorkflow(planes.database, runtimeId, 'orders');
      await openPage(page, buildConsolePath('runtime', { runtimeId }));
      await page.getByRole('region', { name: 'Workflows' }).getByRole('link', { name: 'Inspected orders' }).click();
      await waitForTitle(page, 'Inspected orders');
      assert.equal(new URL(page.url()).pathname, buildConsolePath('runtimeWorkflow', { runtimeId, workflowId }));
      const version = page.getByRole('region', { name: 'Published version' });
      await version.getByRole('img', { name: 'Published version' }).waitFor();
      const row = version.getByRole('row').filter({ hasText: 'Charge' });
      for (const text of ['direct http', 'api.service.example']) await row.getByText(text).first().waitFor();
      await assertPage(page, 'Inspected orders');
      const { json } = await governed.owner('POST', '/v1/runtimes', {
        ...{ name: 'editor with runs', kind: 'MCP_CLIENT', workspace_id, environment_id },
      });
      await governed.owner('POST', `/v1/runtimes/${json.id}/reports`, { files: [{ path: '/a', content: '{"mcpServers": {}}' }] });
      await page.goto(buildConsolePath('runtime', { runtimeId: json.id }));
      await waitForTitle(page, 'editor with runs');
      await page
        .getByRole('region', { name: 'Verification runs' })
        .getByRole('button', { name: /^Evidence/ })
        .first()
        .click();
      await page.getByRole('dialog').getByRole('cell', { name: 'client files' }).waitFor();
      await assertPage(page, 'editor with runs');
    }),
  );

  test(
    'find an application in the catalogue and set it up with its key',
    withWindow(async ({ page }) => {
      await openPage(page, buildConsolePath('integrations'));
      await waitForTitle(page, 'Integrations');
      await page.getByRole('searchbox').fill('github');
      await page.getByRole('link', { name: 'GitHub', exact: true }).click();
      await waitForTitle(page, 'GitHub');
      await assertPage(page, 'GitHub');
      await page.locator('input[type=password]').first().fill('ghp_0123456789abcdefghijklmnopqrstuvwxyz');
      await page.getByRole('button', { name: 'Set up GitHub' }).click();
      await says(page, /^GitHub is set up with \d+ tools/);
      await page.goto(buildConsolePath('integrations'));
      await page.getByRole('region', { name: 'Integrations' }).getByText('GitHub').waitFor();
      await assertPage(page, 'Integrations');
    }),
  );
});
