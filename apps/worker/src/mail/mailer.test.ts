import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { NOBODYS_ORGANIZATION } from '@svc/contract/people/nobodys-organization.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { deriveKey, readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import type { MailTransport, OutgoingMail, SendFault } from '@svc/mail/transports/mail-transport.ts';
import { newSmtpTransport } from '@svc/mail/transports/new-smtp-transport.ts';
import { postMail } from '@svc/operations/people/mail/post-mail.ts';
import { connect, type Database } from '@svc/postgres/connection/connect.ts';
import { inTenant } from '@svc/postgres/connection/in-tenant.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import { newLogger } from '@svc/program/log/new-logger.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { TEST_MASTER_KEY, testLogin } from '@svc/testing/database/master-key.ts';
import { startMailServer, startSilentServer } from '@svc/testing/peers/mail-server.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';
import type { JobDeps } from '../jobs/job.ts';
import { type Mailer, openMailer } from './open-mailer.ts';

const read = readMasterKey(TEST_MASTER_KEY);
assert.ok(read.ok);
const sealingKey = deriveKey(read.key, 'mail-sealing');
const desk = {
  kind: 'smtp' as const,
  sealingKey,
  digestKey: deriveKey(read.key, 'address-digests'),
  service: () => 'http://service.example',
};

let database: FreshDatabase;
let owner: pg.Client;
let app: Database;
let identity: Database;
let now = new Date();
let lines: string[] = [];
const log = newLogger('control', 'trace', { write: (line) => void lines.push(line) });
const deps = (): JobDeps => ({ database: app, identity, log, clock: () => now });

before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
  const as = (role: 'svc_app' | 'svc_identity') =>
    connect({ url: database.url, role, ...testLogin(role), connectionsMax: 8, timeoutMs: 20_000 });
  [app, identity] = [as('svc_app'), as('svc_identity')];
});
after(async () => {
  await Promise.all([app.destroy(), identity.destroy(), owner.end()]);
  await database.drop();
});
beforeEach(async () => {
  await owner.query('delete from mails');
  now = new Date();
  lines = [];
});

const later = (seconds: number): void => {
  now = new Date(now.getTime() + seconds * 1000);
};

/** Enqueues a mail, as a change does. */
const post = (to: string, from: { organizationId?: string; sourceIp?: string; lifetimeSeconds?: number } = {}, fail = false) => {
  const { sourceIp = '203.0.113.7', organizationId, lifetimeSeconds } = from;
  const values = { service: desk.service(), code: '271828', minutes: '10', source_ip: sourceIp };
  const scope = { organization_id: organizationId ?? NOBODYS_ORGANIZATION };
  return inTenant(app, scope, async (tx) => {
    const mail = {
      to,
      template: 'sign-up-code' as const,
      values,
      ...(organizationId && { organizationId }),
      ...(lifetimeSeconds && { lifetimeSeconds }),
    };
    const posted = await postMail({ mail: desk }, { now, sourceIp, newId }, tx, mail);
    if (fail) throw new Error('the change fails');
    return posted;
  });
};

/** Creates a transport that records its mails, and responds on command. */
const newTransport = (answer: (mail: OutgoingMail) => SendFault | undefined | Promise<SendFault | undefined> = () => undefined) => {
  const sent: OutgoingMail[] = [];
  const transport: MailTransport = {
    kind: 'smtp',
    send: async (mail) => {
      sent.push(mail);
      return answer(mail);
    },
  };
  return { sent, transport };
};

const opened: Mailer[] = [];
const getMailer = (transport: MailTransport): Mailer => {
  const mailer = openMailer({ transport, sealingKey });
  opened.push(mailer);
  return mailer;
};
afterEach(async () => {
  await Promise.all(opened.splice(0).map((mailer) => mailer.close()));
});

const states = async () => (await owner.query('select state, attempts, failure, sealed from mails order by created_at, id')).rows;
const look = async (mailer: Mailer): Promise<void> => mailer.round.run(deps(), () => false);
/** Runs rounds until nothing due is left. */
const drain = async (...mailers: readonly Mailer[]): Promise<void> => {
  for (let tries = 0; tries < 1_000; tries += 1) {
    await Promise.all(mailers.map(look));
    const { rows } = await owner.query(
      "select from mails where state = 'WAITING' and (due_at <= $1 or (attempts > 0 and failure is null))",
      [now],
    );
    if (rows.length === 0) return;
    await sleep(5);
  }
  assert.fail('mails were left');
};
const settled = async (count: number): Promise<void> => {
  for (let tries = 0; tries < 1_000; tries += 1) {
    const { rows } = await owner.query("select from mails where state <> 'WAITING' or failure is not null");
    if (rows.length >= count) return;
    await sleep(5);
  }
  assert.fail(`fewer than ${count} mails ended`);
};
const UNREACHABLE: SendFault = { fault: 'unreachable', smtpCode: null, isFinal: false };

describe('a mail', () => {
  test('exists when its change commits, and not otherwise, and is sealed', async () => {
    await assert.rejects(post('lost@example.com', {}, true));
    assert.deepEqual(await states(), []);
    assert.equal(await post('kept@example.com'), true);
    const [{ sealed }] = await states();
    assert.ok(sealed.length > 50);
    const { rows } = await owner.query('select mails::text as row from mails');
    assert.doesNotMatch(`${rows[0].row}${sealed.toString('latin1')}`, /kept|example\.com|271828/);
  });

  test('is sent once, and its content is deleted then', async () => {
    await post('ada@example.com');
    const { sent, transport } = newTransport();
    const mailer = getMailer(transport);
    await drain(mailer);
    await look(mailer);
    assert.deepEqual(
      sent.map(({ to, subject }) => [to, subject]),
      [['ada@example.com', 'Your code to sign up']],
    );
    assert.match(sent[0]?.text ?? '', /^ {4}271828$/m);
    assert.deepEqual(await states(), [{ state: 'SENT', attempts: 1, failure: null, sealed: null }]);
  });

  test('is sent once with any number of concurrent instances', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, n) => post(`p${n}@example.com`, { sourceIp: `198.51.100.${n}` })));
    const { sent, transport } = newTransport(() => sleep(5, undefined));
    await drain(...Array.from({ length: 6 }, () => getMailer(transport)));
    assert.equal(sent.length, 40);
    assert.equal(new Set(sent.map(({ to }) => to)).size, 40);
  });

  test('is retried with backoff and the same id, and is given up after the maximum attempts', async () => {
    await post('ada@example.com');
    const { sent, transport } = newTransport(() => UNREACHABLE);
    const mailer = getMailer(transport);
    const waits: number[] = [];
    for (let attempt = 1; attempt < LIMITS.mail.attemptsMax; attempt += 1) {
      await drain(mailer);
      const { rows } = await owner.query('select due_at from mails');
      waits.push((rows[0].due_at.getTime() - now.getTime()) / 1000);
      now = rows[0].due_at;
    }
    await drain(mailer);
    assert.deepEqual(waits, [5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900]);
    assert.equal(new Set(sent.map(({ id }) => id)).size, 1);
    assert.deepEqual(await states(), [{ state: 'GIVEN_UP', attempts: 12, failure: 'unreachable', sealed: null }]);
  });

  test('that is permanently refused is not retried', async () => {
    await post('nobody@example.com');
    const { sent, transport } = newTransport(() => ({ fault: 'refused', smtpCode: 550, isFinal: true }));
    const mailer = getMailer(transport);
    await drain(mailer);
    assert.deepEqual([sent.length, mailer.failing()], [1, undefined], 'one recipient says nothing of the mail server');
    assert.deepEqual(await states(), [{ state: 'GIVEN_UP', attempts: 1, failure: 'refused', sealed: null }]);
  });

  test('that cannot be read, because the master key or the templates changed, is given up at once', async () => {
    await post('ada@example.com');
    await post('grace@example.com');
    await owner.query("update mails set template = 'of-a-later-version' where id = (select max(id) from mails)");
    const { sent, transport } = newTransport();
    const mailer = openMailer({ transport, sealingKey: deriveKey(read.key, 'data-key-wrapping') });
    opened.push(mailer);
    await drain(mailer);
    assert.deepEqual([sent.length, new Set((await states()).map(({ state }) => state))], [0, new Set(['GIVEN_UP'])]);
  });

  test('that is outdated is not sent, and its result is deleted after a day', async () => {
    await post('ada@example.com', { lifetimeSeconds: 600 });
    later(600);
    const { sent, transport } = newTransport();
    const mailer = getMailer(transport);
    await look(mailer);
    assert.deepEqual([sent.length, await states()], [0, [{ state: 'GIVEN_UP', attempts: 0, failure: 'too late', sealed: null }]]);
    later(LIMITS.mail.keptSeconds);
    await look(mailer);
    assert.deepEqual(await states(), []);
  });

  test('of an instance that died while sending is kept, and sent by another only after the lease ends', async () => {
    await post('ada@example.com');
    const dying = newTransport(() => new Promise(() => undefined));
    // Never closed: it never responds again.
    const dead = openMailer({ transport: dying.transport, sealingKey });
    await look(dead);
    const next = newTransport();
    const mailer = getMailer(next.transport);
    for (const seconds of [1, LIMITS.mail.leaseSeconds - 2]) {
      later(seconds);
      await look(mailer);
      assert.equal(next.sent.length, 0);
    }
    later(1);
    await drain(mailer);
    assert.deepEqual([dying.sent.length, next.sent.map(({ id }) => id)], [1, [dying.sent[0]?.id]]);
    assert.deepEqual(await states(), [{ state: 'SENT', attempts: 2, failure: null, sealed: null }]);
  });

  test('that was interrupted by a stop counts as no failure, and is sent again only after its lease', async () => {
    await post('ada@example.com');
    const broken = newTransport(() => UNREACHABLE);
    const transport: MailTransport = {
      ...broken.transport,
      send: (mail, signal) => {
        broken.sent.push(mail);
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve(UNREACHABLE), { once: true }));
      },
    };
    const stopped = getMailer(transport);
    await look(stopped);
    await stopped.close();
    const [{ state, attempts, failure }] = await states();
    assert.deepEqual([state, attempts, failure], ['WAITING', 1, null], 'nobody said that it failed');
    // It may have arrived, so it is not sent again as soon as a failed mail would be.
    const { sent, transport: whole } = newTransport();
    const next = getMailer(whole);
    later(LIMITS.mail.leaseSeconds - 1);
    await look(next);
    assert.equal(sent.length, 0);
    later(1);
    await drain(next);
    assert.equal(sent.length, 1);
  });
});

describe('a mail server', () => {
  test('that hangs delays no change and no round, and gets a limited number of mails at once, each for a limited time', async () => {
    const silent = await startSilentServer();
    const mailer = getMailer(newSmtpTransport({ url: `smtp://127.0.0.1:${silent.port}`, from: 'a@b.example' }));
    await Promise.all(Array.from({ length: 12 }, (_, n) => post(`p${n}@example.com`, { sourceIp: `198.51.100.${n}` })));
    const began = performance.now();
    for (let round = 0; round < 5; round += 1) await look(mailer);
    await post('one-more@example.com');
    assert.ok(performance.now() - began < LIMITS.mail.sendMs / 2);
    assert.equal((await states()).filter(({ attempts }) => attempts > 0).length, LIMITS.mail.inFlightMax);
    await mailer.close();
    assert.ok(silent.count() <= LIMITS.mail.inFlightMax);
    assert.ok(performance.now() - began < LIMITS.mail.sendMs, 'a stop waits for no answer');
    await silent.close();
  });

  test('that never answers is given up in time by a continuing instance, and the mail is sent again', async () => {
    await post('ada@example.com');
    const transport: MailTransport = {
      kind: 'smtp',
      // Simulates a server that sends data constantly, so that only the timeout of an attempt ends it.
      send: (_mail, signal) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => resolve({ ...UNREACHABLE, fault: 'no response in time' }), { once: true }),
        ),
    };
    await look(getMailer(transport));
    await waitUntil('the attempt is given up', async () => (await states())[0].failure !== null);
    const [{ state, attempts, failure }] = await states();
    assert.deepEqual([state, attempts, failure], ['WAITING', 1, 'no response in time']);
    later(LIMITS.mail.retrySeconds);
    const { sent, transport: whole } = newTransport();
    await drain(getMailer(whole));
    assert.equal(sent.length, 1);
  });

  test('whose errors are reported as text, without an address or mailed content, until mails are sent again', async () => {
    const server = await startMailServer();
    const mailer = getMailer(newSmtpTransport({ url: server.url, from: 'a@b.example' }));
    server.answer({ refuses: 'recipient', status: 451 });
    await post('ada@example.com');
    await drain(mailer);
    assert.equal(mailer.failing(), 'put off');
    server.answer('takes');
    later(10);
    await drain(mailer);
    assert.deepEqual([mailer.failing(), server.received.length], [undefined, 1]);
    const told = lines.map((line) => JSON.parse(line));
    assert.deepEqual(
      told.map(({ msg, fault, smtp_status, template, attempts }) => [msg, fault, smtp_status, template, attempts]),
      [
        ['A mail was not sent.', 'put off', 451, 'sign-up-code', 1],
        ['Mails are sent again.', undefined, undefined, undefined, undefined],
      ],
    );
    assert.doesNotMatch(lines.join(''), /ada|example\.com|271828/);
    await server.close();
  });
});

describe('the hourly limits', () => {
  const BUSY = 'org_11111111111111111111111111';
  const QUIET = 'org_22222222222222222222222222';
  const { perStrangerPerHourMax, perRecipientPerHourMax } = LIMITS.mail;

  test('prevent flooding a mailbox from any number of addresses: the rest waits, and is sent after the hour', async () => {
    await Promise.all(
      Array.from({ length: 30 }, (_, n) => post(n % 2 ? 'Victim@example.com' : 'victim@example.com', { sourceIp: `198.51.100.${n}` })),
    );
    const { sent, transport } = newTransport();
    const planes = [getMailer(transport), getMailer(transport), getMailer(transport)];
    for (let round = 0; round < 12; round += 1) await Promise.all(planes.map(look));
    await settled(6);
    assert.equal(sent.length, 6, 'of this template');
    // Another template, and an organization's, are in the same mailbox.
    await owner.query('update mails set per_hour_max = 1000, due_at = case when attempts = 0 then created_at else due_at end');
    for (let round = 0; round < 12; round += 1) await Promise.all(planes.map(look));
    await settled(perRecipientPerHourMax);
    assert.equal(sent.length, perRecipientPerHourMax);
    later(3_601);
    await drain(...planes);
    assert.equal(sent.length, 30);
  });

  test('prevent unauthenticated clients from using up the mail server', async () => {
    await Promise.all(Array.from({ length: perStrangerPerHourMax + 20 }, (_, n) => post(`p${n}@example.com`)));
    await post('other@example.com', { sourceIp: '198.51.100.1' });
    const { sent, transport } = newTransport();
    const mailer = getMailer(transport);
    for (let round = 0; round < perStrangerPerHourMax / LIMITS.mail.inFlightMax + 5; round += 1) {
      await look(mailer);
      await settled(sent.length);
    }
    assert.deepEqual([sent.length, sent.filter(({ to }) => to === 'other@example.com').length], [perStrangerPerHourMax + 1, 1]);
  });

  test('are served in turn, so that a large sender delays none of the others', async () => {
    for (let n = 0; n < 60; n += 1) await post(`p${n}@example.com`, { organizationId: BUSY });
    later(1);
    await post('ada@example.com', { organizationId: QUIET });
    const { sent, transport } = newTransport();
    const mailer = getMailer(transport);
    await look(mailer);
    await settled(LIMITS.mail.inFlightMax);
    assert.ok(sent.some(({ to }) => to === 'ada@example.com'));
    await drain(mailer);
    assert.equal(sent.length, 61);
  });

  test('limit what waits: more of one sender is refused, and others are accepted', async () => {
    const { waitingPerSenderMax } = LIMITS.mail;
    await owner.query(
      `insert into mails (organization_id, id, template, recipient_key, sender_key, per_hour_max, expires_at)
       select $1, 'mal_' || n, 'sign-up-code', 'r', $1, 1, now() + interval '1 hour' from generate_series(1, $2::integer) n`,
      [BUSY, waitingPerSenderMax],
    );
    assert.equal(await post('ada@example.com', { organizationId: BUSY }), false);
    assert.equal(await post('ada@example.com', { organizationId: QUIET }), true);
  });
});
