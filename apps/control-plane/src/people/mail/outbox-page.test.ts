import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { type MailServer, startMailServer, startSilentServer } from '@svc/testing/peers/mail-server.ts';
import { call } from '@svc/testing/people/client.ts';
import { getCodeTo } from '@svc/testing/people/read-mails.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import type pg from 'pg';

let planes: Planes;
let owner: pg.Client;
before(async () => {
  planes = await leasePlanes();
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await planes.stop();
});

const startSignup = (url: string, email: string) => {
  const body = { email, password: 'correct horse battery staple', name: 'Grace' };
  return call(url, 'POST', '/v1/auth/signup/start', { body });
};
/** Requests the page like a browser, with a Host header, which `fetch` does not allow to be set. */
const getOutboxPage = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  new Promise<{ status: number; text: string; policy: unknown }>((resolve, reject) => {
    const sent = request(`${url}/outbox`, { headers: { accept: 'text/html', ...headers } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text, policy: answer.headers['content-security-policy'] }));
    });
    sent.on('error', reject).end();
  });

test('the outbox is a page on the machine of the service, with the codes, and is not found through a proxy or another name', async () => {
  const email = '"><script>alert(1)</script>'.replace(/\s/g, '').concat('@outbox.example.com');
  assert.equal((await startSignup(planes.controlUrl, email)).status, 200);
  const code = await getCodeTo(owner, email);
  const { status, text, policy } = await getOutboxPage(planes.controlUrl);
  assert.equal(status, 200);
  assert.ok(text.includes(`    ${code}\n`));
  assert.ok(!text.includes('<script') && text.includes('&lt;script&gt;'));
  assert.match(String(policy), /^default-src 'none'; style-src/);
  for (const headers of [
    { 'x-forwarded-for': '127.0.0.1' },
    { host: 'evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { forwarded: 'for=127.0.0.1' },
  ]) {
    const refused = await getOutboxPage(planes.controlUrl, headers);
    assert.deepEqual([refused.status, refused.text.includes(code)], [404, false], JSON.stringify(headers));
  }
  assert.ok(!planes.logs().includes(code));
});

test('a response states that a mail stays in the outbox, alike for addresses with and without an account', async () => {
  const tenant = await newTenant(planes);
  const start = (path: string, body: object) => call(planes.controlUrl, 'POST', path, { body });
  for (const email of [tenant.email, 'nobody-there@outbox.example.com'])
    for (const answer of [await startSignup(planes.controlUrl, email), await start('/v1/auth/password/reset/start', { email })])
      assert.deepEqual([answer.status, answer.json.mail_transport], [200, 'OUTBOX'], answer.text);
  const { token } = tenant;
  const body = { email: 'invited@outbox.example.com', role_id: getBuiltInRole('viewer').id };
  const invited = await call(planes.controlUrl, 'POST', '/v1/members/invitations', { token, body });
  assert.deepEqual([invited.status, invited.json.mail_transport], [201, 'OUTBOX'], invited.text);
  const listed = await call(planes.controlUrl, 'GET', '/v1/members/invitations', { token });
  assert.equal('mail_transport' in listed.json[0], false);
});

describe('with a mail server', () => {
  let database: FreshDatabase;
  let server: MailServer;
  let client: pg.Client;
  before(async () => {
    [database, server] = [await createFreshDatabase(), await startMailServer()];
    client = await database.client();
  });
  after(async () => {
    await Promise.all([server.close(), client.end()]);
    await database.drop();
  });

  const until = async (what: string, holds: () => boolean | Promise<boolean>): Promise<void> => {
    for (let tries = 0; tries < 400; tries += 1, await sleep(50)) if (await holds()) return;
    assert.fail(`${what} did not happen`);
  };
  const during = async (url: string, work: (planes: Planes) => Promise<void>): Promise<void> => {
    const env = { SVC_MAIL_FROM: 'Governance <governance@example.com>', LOG_LEVEL: 'warn', SMTP_URL: url };
    const started = await startPlanes({ gateways: 0, database, env });
    await work(started).finally(() => started.stop());
  };

  test('health and log report refused mails, a later start sends them once, and there is no outbox', async () => {
    await during(`smtp://127.0.0.1:${await freePort()}`, async ({ controlUrl, logs }) => {
      const started = await startSignup(controlUrl, 'ada@example.com');
      assert.deepEqual([started.status, started.json.mail_transport], [200, 'SMTP']);
      const ready = async () => (await call(controlUrl, 'GET', '/health/ready')).json;
      await until('that mails fail', async () => (await ready()).checks.mail === 'failing');
      assert.equal((await ready()).status, 'ok');
      await until('a line in the log', () => /"fault":"unreachable"/.test(logs()));
      assert.doesNotMatch(logs(), /ada@example/);
      assert.equal((await getOutboxPage(controlUrl)).status, 404);
    });
    const code = await getCodeTo(client, 'ada@example.com');
    await during(server.url, async ({ controlUrl }) => {
      await client.query('update mails set due_at = now()');
      await until('the mail', () => server.received.length > 0);
      await until('the end', async () => (await client.query("select from mails where state = 'SENT' and sealed is null")).rowCount === 1);
      assert.deepEqual(
        [server.received.length, server.received[0]?.to, server.received[0]?.raw.includes(code)],
        [1, 'ada@example.com', true],
      );
      const body = { email: 'ada@example.com', code };
      assert.equal((await call(controlUrl, 'POST', '/v1/auth/signup/verify', { body })).status, 201);
    });
  });

  test('that accepts connections and never answers, a sign-up is answered and ended, and everything else continues', async () => {
    const silent = await startSilentServer();
    await client.query('delete from mails');
    await during(`smtp://127.0.0.1:${silent.port}`, async ({ controlUrl }) => {
      assert.equal((await startSignup(controlUrl, 'first@example.com')).status, 200);
      await until('that a mail hangs', () => silent.count() > 0);
      const begun = performance.now();
      const email = 'second@example.com';
      assert.equal((await startSignup(controlUrl, email)).status, 200);
      const body = { email, code: await getCodeTo(client, email) };
      const { status, json } = await call(controlUrl, 'POST', '/v1/auth/signup/verify', { body });
      assert.equal(status, 201);
      assert.equal((await call(controlUrl, 'GET', '/v1/auth/session', { token: json.token })).status, 200);
      assert.ok(performance.now() - begun < LIMITS.mail.sendMs, 'it waited for the mail server to be given up');
    });
    await silent.close();
  });
});
