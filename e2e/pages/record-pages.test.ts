import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { buildId } from '@svc/contract/tables/ids.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { buildPages } from '@svc/testing/browser/build-pages.ts';
import { openChromium } from '@svc/testing/browser/chromium.ts';
import { assertPage } from '@svc/testing/browser/look-at.ts';
import {
  type Browser,
  fillFill,
  getForeground,
  type Page,
  type TestWindow,
  testInWindow,
  waitForTitle,
} from '@svc/testing/browser/window.ts';
import { type OwnServer, startOwnServer } from '@svc/testing/database/own-server.ts';
import { LETS_OUT, startWorker } from '@svc/testing/events/start-worker.ts';
import { longOnly, sampleFew } from '@svc/testing/length/test-length.ts';
import { startWebhookReceiver, type WebhookReceiver } from '@svc/testing/peers/webhook-receiver.ts';
import { call } from '@svc/testing/people/client.ts';
import { newTenant, type SignedUp, signUp } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type { RunningProcess } from '@svc/testing/processes/start-process.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

let server: OwnServer;
let planes: Planes;
let worker: RunningProcess;
let receiver: WebhookReceiver;
let owner: pg.Client;
let governed: Governed;
let browser: Browser | string;
before(async () => {
  buildPages();
  server = await startOwnServer();
  planes = await startPlanes({ database: server.database, env: LETS_OUT });
  [worker, receiver, owner, browser] = await Promise.all([
    startWorker(server.database),
    startWebhookReceiver(),
    server.database.client(),
    openChromium(),
  ]);
  governed = await newGoverned(planes);
});
after(async () => {
  if (typeof browser !== 'string') await browser?.close();
  await worker?.stop();
  await owner?.end();
  await planes?.stop();
  await Promise.all([receiver?.close(), server?.remove()]);
});

const withWindow = (work: (window: TestWindow) => Promise<void>) =>
  testInWindow({ browser: () => browser, look: () => ({ baseURL: planes.controlUrl }) }, work);

const signIn = async (
  page: Page,
  next: string,
  { email, password }: Pick<SignedUp, 'email' | 'password'> = governed.tenant,
): Promise<void> => {
  await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
  await fillFill(page, { email, password });
};

/** Presses a control with the keyboard, from the current focus. */
const press = async (page: Page, name: string | RegExp): Promise<void> => {
  await (await getForeground(page)).getByRole('button', { name, exact: true }).first().focus();
  await page.keyboard.press('Enter');
};

const says = (page: Page, text: string | RegExp): Promise<void> => page.getByRole('status').filter({ hasText: text }).first().waitFor();

const downloaded = async (page: Page, begin: () => Promise<void>): Promise<string> => {
  const [download] = await Promise.all([page.waitForEvent('download'), begin()]);
  return readFileSync((await download.path()) ?? '', 'utf8');
};
const follow = (page: Page, name: string | RegExp) => async (): Promise<void> => {
  await page.getByRole('link', { name }).focus();
  await page.keyboard.press('Enter');
};

const allSealed = () =>
  waitUntil('every event is sealed', async () => {
    const { rows } = await owner.query<{ is_sealed: boolean }>(
      `select (select count(*) from audit_events where organization_id = $1) = (select count(*) from audit_leaves where organization_id = $1) as is_sealed`,
      [governed.tenant.organization_id],
    );
    return rows[0]?.is_sealed === true;
  });

const PAGES = [
  'the page of the record, with the keyboard, at 400 and 1280 px,',
  'the page of the compliance report',
  'the page of webhooks, with the keyboard, at 400 and 1280 px,',
];
const tried = sampleFew(PAGES, 1, 'pages of the record');
const some = (title: string, tests: () => void) => describe(title, tried.includes(title) ? {} : longOnly, tests);

some('the page of the record, with the keyboard, at 400 and 1280 px,', () => {
  test(
    'searches by the filled-in fields, keeps the search in the address, and shows what an event changed, before and after',
    withWindow(async ({ page }) => {
      await governed.owner('PATCH', `/v1/agents/${governed.agent.id}`, { description: 'Refunds <b>alone</b>' });
      await signIn(page, '/audit');
      await page.getByText('agent.created').first().waitFor();
      await assertPage(page, 'Audit');
      await fillFill(page, { type: 'agent.updated,agent.revoked', subject_id: governed.agent.id });
      await says(page, '1 in total.');
      await page.reload();
      await says(page, '1 in total.');
      assert.equal(new URL(page.url()).searchParams.get('subject_id'), governed.agent.id);
      await follow(page, 'agent.updated')();
      const one = page.getByRole('main');
      await one.getByText(governed.agent.name).first().waitFor();
      assert.match(await one.innerText(), new RegExp(`Subject\\s+${governed.agent.name}, agent ${governed.agent.id}`));
      assert.match(await one.innerText(), /Environment\s+\S.*, environment env_/);
      assert.equal(
        await one
          .locator('code.id')
          .first()
          .evaluate((each) => globalThis.getComputedStyle(each as never).userSelect),
        'all',
        'one click marks an id whole',
      );
      const row = page.getByRole('row').filter({ hasText: 'description' });
      assert.match(await row.innerText(), /description\s+Refunds <b>alone<\/b>/);
      await assertPage(page, 'agent.updated');
      await page.goBack();
      await fillFill(page, { type: 'nothing.of_the_kind' });
      await page.getByRole('alert').getByText('nothing.of_the_kind').waitFor();
    }),
  );

  test(
    'finds a selected object by its name, reports missing and ambiguous names, and shows ids of an event with their names',
    withWindow(async ({ page }) => {
      await signIn(page, '/audit');
      await page.locator(`#known-subject_id option[value^="${governed.agent.name} ("]`).waitFor({ state: 'attached' });
      await fillFill(page, { subject_id: 'nobody-of-this-name' });
      await page.getByText('No match for this name.').waitFor();
      await assertPage(page, 'Audit');
      await fillFill(page, { subject_id: governed.tool.name });
      await page.waitForURL(new RegExp(`subject_id=${governed.tool.id}`));
      await page.getByText('tool.updated').first().waitFor();
      assert.equal(await page.locator('input[name=subject_id]').inputValue(), `${governed.tool.name} (${governed.tool.id})`);
      await page.getByRole('link', { name: 'tool.updated' }).first().click();
      await page.locator('dt', { hasText: governed.agent.name }).first().waitFor();
      await page.goBack();
      await page.locator('input[name=subject_id]').fill('');
      await fillFill(page, { actor_id: governed.tenant.user.name });
      await page.waitForURL(/actor_id=usr_/);
      await page.getByText('agent.created').first().waitFor();
    }),
  );

  test(
    'names and finds objects beyond the first two hundred of their kind',
    withWindow(async ({ page }) => {
      const tenant = await newTenant(planes);
      const { json } = await call(planes.controlUrl, 'POST', '/v1/agents', {
        token: tenant.token,
        body: { name: 'the-oldest', workspace_id: tenant.workspace_id, environment_id: tenant.environment_id, capabilities: [] },
      });
      const { id } = json.data.agent;
      await owner.query(
        `with made as (
           insert into agents (organization_id, id, workspace_id, environment_id, name)
           select $1, id, $2, $3, id from unnest($4::text[]) as id returning id
         ), keys as (
           insert into agent_keys (organization_id, agent_id, generation, public_key, thumbprint) select $1, id, 1, id, id from made)
         insert into passports (organization_id, id, agent_id, version, token, issued_at, expires_at)
         select $1, 'psp_' || right(id, 26), id, 1, 'x', now(), now() + interval '1 year' from made`,
        [
          tenant.organization_id,
          tenant.workspace_id,
          tenant.environment_id,
          Array.from({ length: 200 }, () => buildId('agent', newUlid())),
        ],
      );
      await signIn(page, '/audit?type=agent.created', tenant);
      await page.locator('#known-subject_id option[value*="(agt_"]').nth(199).waitFor({ state: 'attached' });
      const event = page.getByRole('region', { name: 'Events' });
      await event.getByTitle(id).getByText('the-oldest (agent)').waitFor();
      await fillFill(page, { type: '', subject_id: 'the-oldest' });
      await page.waitForURL(new RegExp(`subject_id=${id}`));
      await event.getByText('the-oldest').first().waitFor();
      assert.equal(await page.locator('input[name=subject_id]').inputValue(), `the-oldest (${id})`);
      await fillFill(page, { subject_id: 'the-old' });
      await page.getByText('No match for this name.').waitFor();
    }),
  );

  test(
    'pages through to the end',
    withWindow(async ({ page }) => {
      const { rows } = await owner.query<{ n: number }>(
        'select count(*)::int as n from audit_events where organization_id = $1 and subject_id = $2',
        [governed.tenant.organization_id, governed.agent.id],
      );
      for (let n = rows[0]?.n ?? 0; n < 30; n += 1)
        assert.equal((await governed.owner('PATCH', `/v1/agents/${governed.agent.id}`, { description: `Number ${n}` })).status, 200);
      await signIn(page, `/audit?subject_id=${governed.agent.id}`);
      await says(page, '25 shown. There are more.');
      await press(page, 'Show more');
      await says(page, '30 in total.');
    }),
  );

  test(
    'saves the proof of an event and the receipt of a decision as files, and the export of the current search',
    withWindow(async ({ page }) => {
      const { status, json } = await governed.act({ parameters: { order: 'A1' } });
      assert.equal(status, 200);
      await allSealed();
      await signIn(page, `/audit?subject_id=${json.action_id}`);
      await follow(page, 'action.allowed')();
      await press(page, /^Get proof/);
      const proof = JSON.parse(await downloaded(page, follow(page, /proof\.json$/)));
      assert.equal(proof.event.subject.id, json.action_id);
      assert.ok(proof.proof.checkpoint.includes(proof.proof.root_hash));
      await press(page, /^Get receipt/);
      assert.match(await downloaded(page, follow(page, /receipt\.jws$/)), /^[\w-]+\.[\w-]+\.[\w-]+$/);
      await assertPage(page, 'action.allowed');
      await page.goBack();
      await press(page, 'Export');
      await assertPage(page, 'Audit');
      const lines = (await downloaded(page, () => press(page, 'Export results'))).trim().split('\n');
      assert.ok(lines.some((line) => line.includes(json.action_id)));
      assert.ok(!lines.some((line) => line.includes('agent.created')));
      await says(page, 'Exported.');
    }),
  );

  test(
    'states in words that the record is intact, and which part is not after an edit of the database',
    withWindow(async ({ page }) => {
      await allSealed();
      await signIn(page, '/audit');
      await press(page, 'Verify record');
      await says(page, /The record is intact: all \d+ sealed events/);
      assert.match(await downloaded(page, follow(page, 'Download checkpoint')), /\n\n— /);
      const one = "(select id from audit_events where organization_id = $1 and type = 'agent.created' limit 1)";
      const { organization_id } = governed.tenant;
      await owner.query(`update audit_events set actor_name = 'Nobody' where id = ${one}`, [organization_id]);
      await press(page, 'Verify record');
      await says(page, 'The record was changed after it was sealed:');
      await assertPage(page, 'Audit');
      assert.equal(await page.getByRole('region', { name: 'Verification' }).getByRole('listitem').count(), 1);
    }),
  );

  test(
    'offers only what the role permits',
    withWindow(async ({ page }) => {
      const reader = await signUp(planes.controlUrl);
      const role = 'rol_0000000000000000000READER';
      await owner.query(
        "insert into roles (organization_id, id, name, description, permissions) values ($1, $2, 'Reader', '', array['audit:read','webhook:read'])",
        [reader.organization.id, role],
      );
      await owner.query('update members set role_id = $1 where user_id = $2', [role, reader.user.id]);
      await signIn(page, '/audit', reader);
      await page.getByText('organization.created').first().waitFor();
      for (const name of ['Verify record', 'Export']) assert.equal(await page.getByRole('button', { name }).count(), 0, name);
      for (const [path, title, does] of [
        ['/webhooks', 'Webhooks', 'New webhook'],
        ['/notification-channels', 'Notification channels', 'New channel'],
      ] as const) {
        await page.goto(path);
        await waitForTitle(page, title);
        await page.getByText(`No ${title.toLowerCase()} yet.`).waitFor();
        assert.equal(
          await page
            .getByRole('button', { name: does })
            .or(page.getByRole('link', { name: does }))
            .count(),
          0,
        );
      }
    }),
  );
});

some('the page of the compliance report', () => {
  test(
    'shows each point of a framework with its state, each control with what was counted and what remains, and prints only the report',
    withWindow(async ({ page }) => {
      await signIn(page, '/compliance');
      await page.getByRole('heading', { level: 2, name: 'OWASP Top 10 for Agentic Applications' }).waitFor();
      await assertPage(page, 'Compliance report');
      await page.getByRole('heading', { level: 3, name: 'Decisions are enforced' }).waitFor();
      assert.match(
        await page.getByRole('region', { name: 'Decisions are enforced' }).innerText(),
        /1 of 1[\s\S]*\/v1\/environments[\s\S]*Your responsibility/,
      );
      await page.locator('select[name=framework]').selectOption('EU_AI_ACT');
      await press(page, 'Show report');
      await page.getByRole('heading', { level: 2, name: 'SOC 2' }).waitFor({ state: 'detached' });
      await page.getByRole('row').filter({ hasText: '14(4)(e)' }).waitFor();
      await page.emulateMedia({ media: 'print' });
      assert.equal(await page.getByRole('button', { name: 'Show report' }).isVisible(), false);
      assert.equal(await page.getByRole('navigation').isVisible(), false);
      assert.equal(await page.getByRole('heading', { level: 3, name: 'People can stop agents' }).isVisible(), true);
      await page.emulateMedia({ media: 'screen' });
      await fillFill(page, { from: '2999-01-01' });
      await page.getByRole('alert').waitFor();
    }),
  );
});

some('the page of webhooks, with the keyboard, at 400 and 1280 px,', () => {
  test(
    'creates a receiver and shows its secret once, sends a test, and shows each delivery with its attempts and its body',
    withWindow(async ({ page }) => {
      await signIn(page, '/webhooks');
      await page.getByText('No webhooks yet.').waitFor();
      await assertPage(page, 'Webhooks');
      await page.getByRole('link', { name: 'New webhook' }).first().click();
      await page.getByRole('group', { name: 'Events of policies' }).getByRole('checkbox', { name: 'policy.activated' }).waitFor();
      await assertPage(page, 'New webhook');
      await fillFill(page, { name: 'Pager', url: receiver.url('rejects', 'pager') });
      await page.getByRole('alert').getByText('event types: Must have at least 1 item.').waitFor();
      await page.getByText('Not sent yet: waits for incidents.').first().waitFor();
      for (const name of ['agent.paused', 'incident.created']) {
        await page.getByRole('checkbox', { name }).focus();
        await page.keyboard.press('Space');
      }
      await press(page, 'Create webhook');
      const secret = page.getByRole('group', { name: 'Signing secret of Pager' });
      assert.match(await secret.innerText(), /whsec_\w+/);
      assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Signing secret of Pager');
      await assertPage(page, 'Pager is created');
      await press(page, 'I have saved it');
      await waitForTitle(page, 'Pager');
      assert.ok(!(await page.content()).includes('whsec_'));
      await page.getByText('incident.created (waits for incidents)').waitFor();
      await press(page, 'Send test event: Pager');
      await says(page, 'Test event sent.');
      await waitUntil('an attempt has failed', async () => receiver.of('pager').length > 0);
      await waitUntil('the attempt is shown', async () => {
        await press(page, 'Refresh');
        await page.getByText('agent.paused (test)').waitFor();
        await press(page, /^Show: dlv_/);
        await page.getByText('"api_version"').waitFor();
        const isShown = (await page.getByRole('dialog').getByText('answered 500').count()) > 0;
        if (!isShown) await press(page, 'Close');
        return isShown;
      });
      await assertPage(page, 'Pager');
    }),
  );

  test(
    'redelivers failed ones, rotates the secret after explaining the effects, disables, enables and deletes',
    withWindow(async ({ page }) => {
      receiver.take('pager', 'takes');
      await owner.query(
        "update webhook_deliveries set state = 'FAILED', ended_at = now(), reason = 'It was rejected.' where state = 'WAITING'",
      );
      await signIn(page, '/webhooks');
      await page.getByRole('link', { name: 'Pager' }).click();
      await page.getByText('It was rejected.').waitFor();
      const before = receiver.of('pager').length;
      await press(page, /^Retry: dlv_/);
      await waitUntil('it arrived', () => receiver.of('pager').length > before);
      await waitUntil('that it arrived is shown', async () => {
        await press(page, 'Refresh');
        await page.getByText('agent.paused (test)').waitFor();
        return (await page.getByRole('row').getByText('Delivered').count()) > 0;
      });
      await press(page, 'Retry failed deliveries: Pager');
      await press(page, 'Retry failed deliveries');
      await says(page, 'Retrying 0 deliveries.');
      await press(page, 'Rotate secret: Pager');
      await page.getByText('Deliveries are signed with both secrets for 24 hours.').waitFor();
      await press(page, 'Rotate secret');
      await page.getByRole('group', { name: 'Signing secret of Pager' }).getByText('signed with the previous secret').waitFor();
      await assertPage(page, 'Pager');
      await press(page, 'Disable: Pager');
      await press(page, 'Disable');
      await page.getByText('a member disabled it').waitFor();
      await press(page, 'Enable: Pager');
      await says(page, 'Pager was enabled with your permissions.');
      await press(page, 'Delete: Pager');
      await press(page, 'Delete');
      await page.getByText('No webhooks yet.').waitFor();
    }),
  );
});

test(
  'the page of notification channels: adds one whose URL is never shown again, tests, changes, disables and deletes it',
  withWindow(async ({ page }) => {
    const urlOf = (key: string) => `https://hooks.slack.com/services/T00000000/B00000000/${key}`;
    await signIn(page, '/notification-channels');
    await page.getByText('No notification channels yet.').waitFor();
    await press(page, 'New channel');
    await fillFill(page, { name: 'Ops', webhook_url: urlOf('abcdefghijklmnopqrstuvwx') });
    await page.getByRole('alert').waitFor();
    await page.getByRole('checkbox', { name: 'Emergency stops' }).focus();
    await page.keyboard.press('Space');
    await press(page, 'Add channel');
    await says(page, 'Ops was added.');
    await page.getByText('hooks.slack.com/…uvwx').waitFor();
    assert.ok(!(await page.content()).includes('abcdefghijkl'));
    await assertPage(page, 'Notification channels');
    await page.getByRole('link', { name: 'Ops' }).click();
    await press(page, 'Send test message: Ops');
    await says(page, 'Test message sent to Ops.');
    await waitUntil('how it went is shown', async () => {
      await press(page, 'Refresh');
      return (await page.getByText('The last attempt failed:').count()) > 0;
    });
    await press(page, 'Edit: Ops');
    await assertPage(page, 'Ops');
    const form = page.getByRole('dialog', { name: 'Edit: Ops' });
    await form.getByLabel('Webhook URL').fill(urlOf('zyxwvutsrqponmlkjihgfedc'));
    await form.getByRole('checkbox', { name: 'Approvals waiting' }).check();
    await press(page, 'Save');
    await says(page, 'Ops was changed');
    await page.getByText('hooks.slack.com/…fedc').waitFor();
    await page.getByText('Approvals waiting, Emergency stops').waitFor();
    await press(page, 'Disable: Ops');
    await press(page, 'Disable');
    await page.getByText('a member disabled it').waitFor();
    await press(page, 'Enable: Ops');
    await says(page, 'Ops was enabled with your permissions.');
    await press(page, 'Delete: Ops');
    await press(page, 'Delete');
    await page.getByText('No notification channels yet.').waitFor();
  }),
);
