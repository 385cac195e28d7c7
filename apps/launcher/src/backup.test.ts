import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { buildOwnerUrl } from '@svc/database-server/cluster/owner-url.ts';
import { newMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { connectAsOwner, type FreshDatabase } from '@svc/testing/database/database.ts';
import { type ManagedServer, SERVER_KINDS } from '@svc/testing/database/managed-server.ts';
import { call } from '@svc/testing/people/client.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { getPersonsEnvironment, launchService } from '@svc/testing/processes/launch-service.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const home = mkdtempSync(path.join(tmpdir(), 'svc-backup-'));
const masterKey = newMasterKey();
const file = path.join(home, 'first.backup');
let server: ManagedServer;

type Ended = { readonly code: number; readonly said: string };

/** Runs npm run ops -- backup or npm run ops -- restore. */
const run = (program: 'backup' | 'restore', named: string, env: Readonly<Record<string, string>>): Promise<Ended> =>
  new Promise((resolve) => {
    const options = { cwd: root, env: getPersonsEnvironment({ SVC_MASTER_KEY: masterKey, ...env }) };
    execFile(process.execPath, [path.join(root, `apps/launcher/src/${program}.ts`), named], options, (error, out, errors) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: out + errors }),
    );
  });

/** Adds a matching end line. */
const sealed = (lines: readonly string[]): string => {
  const text = `${lines.join('\n')}\n`;
  const rows = lines.reduce((sum, line) => sum + (JSON.parse(line).rows?.length ?? 0), 0);
  return `${text}${JSON.stringify({ kind: 'end', rows, sha256: createHash('sha256').update(text).digest('hex') })}\n`;
};

const fresh = (name: string): string => path.join(home, name);

/** Returns the row count and a checksum of every table. */
const contents = async (url: string): Promise<Readonly<Record<string, string>>> => {
  const client = await connectAsOwner(url);
  // Transaction ids belong to one server: those of another one count as earlier, and positions among them are encoded differently.
  const { rows: tables } = await client.query<{ name: string; columns: string }>(
    `select relname as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns
       from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and atttypid <> 'xid8'::regtype
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname not in ('schema_migrations', 'installation', 'feed_positions') group by relname`,
  );
  const told: Record<string, string> = {};
  for (const { name, columns } of tables) {
    const { rows } = await client.query<{ told: string }>(
      `select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as told from (select ${columns} from ${name}) t`,
    );
    told[name] = rows[0]?.told ?? '';
  }
  await client.end();
  return told;
};

const QUIET_MS = 1_500;

/** Returns the same once nothing changes any more: recorded events are sealed a moment later. */
const settledContents = async (url: string): Promise<Readonly<Record<string, string>>> => {
  let held = await contents(url);
  for (;;) {
    await sleep(QUIET_MS);
    const now = await contents(url);
    if (JSON.stringify(now) === JSON.stringify(held)) return now;
    held = now;
  }
};

before(async () => {
  server = await (SERVER_KINDS[0] ?? assert.fail()).start();
});
after(async () => {
  await server.remove();
  rmSync(home, { recursive: true, force: true });
});

type Finding = { readonly kind: string; readonly record?: { readonly id: string } };

describe('a backup', () => {
  let governed: Governed;
  const ids: string[] = [];
  let taken = 0;
  /** Content of the database after the last write. */
  let kept: Readonly<Record<string, string>>;
  const dataDir = fresh('data');

  const verified = async (controlUrl: string) => {
    const { status, json, text } = await call(controlUrl, 'POST', '/v1/audit-events/verify', { token: governed.tenant.token, body: {} });
    assert.equal(status, 200, text);
    return json;
  };

  test('is taken while the service runs, holds one moment, and states that the master key is not in it', async () => {
    const service = await launchService({ dataDir, env: { SVC_MASTER_KEY: masterKey } });
    try {
      const { controlUrl, gatewayUrl } = service;
      governed = await newGoverned({ controlUrl, gatewayUrl, gatewayUrls: [gatewayUrl] } as unknown as Planes);
      const note = 'a "quoted", {nested}\nline\u2028 with \\ and ünïcode 💶';
      let going = true;
      const load = (async () => {
        while (going) ids.push((await governed.act({ parameters: { note } })).json.action_id);
      })();
      while (ids.length < 20) await new Promise((resolve) => setTimeout(resolve, 20));
      const { code, said } = await run('backup', file, { DATA_DIR: dataDir });
      taken = ids.length;
      going = false;
      await load;
      kept = await settledContents(buildOwnerUrl(dataDir) ?? '');
      assert.equal(Number(kept.actions?.split(' ')[0]), ids.length);
      assert.equal(code, 0, said);
      assert.match(said, /first\.backup holds [\d,]+ rows of installation [0-9a-f]{10}/);
      assert.match(said, /The master key is not in it: keep what SVC_MASTER_KEY was set to too/);
      assert.equal(statSync(file).mode & 0o777, 0o600);
      const text = gunzipSync(readFileSync(file)).toString('utf8');
      assert.ok(!text.includes(masterKey) && text.includes(governed.tenant.email));
    } finally {
      await service.stop();
    }
    // The service is stopped now: the embedded database is started for the backup only.
    assert.equal((await run('backup', fresh('second.backup'), { DATA_DIR: dataDir })).code, 0);
    assert.deepEqual(
      readdirSync(home).filter((name) => name.endsWith('.part')),
      [],
    );
  });

  test('is restored onto a fresh server, whole, with its roles, and the service continues there', async () => {
    const dataDir = fresh('data-2');
    const { code, said } = await run('restore', fresh('second.backup'), { DATA_DIR: dataDir });
    assert.equal(code, 0, said);
    assert.match(said, /copy sandbox\.port from the former data folder/);
    copyFileSync(path.join(fresh('data'), 'sandbox.port'), path.join(dataDir, 'sandbox.port'));
    const service = await launchService({ dataDir, env: { SVC_MASTER_KEY: masterKey, SVC_GATEWAY_URL: governed.planes.gatewayUrl } });
    try {
      await goesOn(service.controlUrl, service.gatewayUrl, ids);
      const { findings, record_parts } = await verified(service.controlUrl);
      assert.deepEqual([findings, record_parts.changed], [[], 0]);
      assert.ok(record_parts.intact > ids.length, 'records of every kind');
      const port = readFileSync(path.join(fresh('data'), 'sandbox.port'), 'utf8').trim();
      assert.equal(new URL(service.sandboxOrigin).port, port);
    } finally {
      await service.stop();
    }
  });

  test('with a changed row is restored, and the log names the record', async () => {
    const lines = gunzipSync(readFileSync(fresh('second.backup')))
      .toString('utf8')
      .trimEnd()
      .split('\n');
    const { id } = governed.tool;
    const at = lines.findIndex((line) => line.startsWith('{"kind":"table","name":"tools"')) + 1;
    const changed = lines.slice(0, -1).with(at, lines[at]?.replaceAll(/\b(LOW|MEDIUM)\b/g, 'HIGH') ?? '');
    assert.notDeepEqual(changed, lines.slice(0, -1));
    writeFileSync(fresh('tampered.backup'), gzipSync(sealed(changed)));
    const dataDir = fresh('data-3');
    const { code, said } = await run('restore', fresh('tampered.backup'), { DATA_DIR: dataDir });
    assert.equal(code, 0, said);
    const service = await launchService({ dataDir, env: { SVC_MASTER_KEY: masterKey, SVC_GATEWAY_URL: governed.planes.gatewayUrl } });
    try {
      const { intact, findings } = await verified(service.controlUrl);
      assert.deepEqual([intact, findings.map(({ kind, record }: Finding) => [kind, record?.id])], [false, [['RECORD_CHANGED', id]]]);
    } finally {
      await service.stop();
    }
  });

  test('taken under load holds every decision with its event, and no later one', async () => {
    const database = await server.newDatabase();
    const { code, said } = await run('restore', file, { DATABASE_URL: database.url, DATA_DIR: fresh('unused') });
    assert.equal(code, 0, said);
    const owner = await database.client();
    const { rows } = await owner.query(
      `select count(*)::int as actions, count(e.id)::int as events from actions a
         left join audit_events e on e.organization_id = a.organization_id and e.subject_id = a.id and e.type = 'action.allowed'`,
    );
    // The events are read after the actions, and more were recorded in between.
    const { rows: without } = await owner.query(
      `select id from audit_events e where type = 'action.allowed' and not exists (select from actions where id = e.subject_id)`,
    );
    await owner.end();
    assert.deepEqual([rows[0].actions, without], [rows[0].events, []]);
    assert.ok(rows[0].actions >= 20 && rows[0].actions <= taken, `${rows[0].actions} of ${taken}`);
  });

  /** Asserts that the owner signs in with the old password and reads the record, and that the agent acts with its old key. */
  const goesOn = async (controlUrl: string, gatewayUrl: string, recorded: readonly string[]): Promise<void> => {
    const { email, password } = governed.tenant;
    const { token } = (await call(controlUrl, 'POST', '/v1/auth/login', { body: { email, password } })).json;
    for (const id of [recorded[0], recorded.at(-1)])
      assert.equal((await call(controlUrl, 'GET', `/v1/actions/${id}`, { token })).json.status, 'ALLOWED');
    const { json } = await call(controlUrl, 'GET', '/v1/audit-events?type=action.allowed&limit=5', { token });
    assert.equal(json.data.length, 5);
    const acted = await call(gatewayUrl, 'POST', '/gateway/v1/actions', { token: governed.token, body: { tool: 'pay', parameters: {} } });
    assert.equal(acted.json.status, 'ALLOWED', acted.text);
  };

  test('restores the database exactly, also from a restored one', async () => {
    const [one, two] = [await server.newDatabase(), await server.newDatabase()];
    const restored = async (name: string, { url }: FreshDatabase) => {
      assert.equal((await run('restore', fresh(name), { DATABASE_URL: url, DATA_DIR: fresh('unused') })).code, 0);
      const client = await connectAsOwner(url);
      assert.deepEqual((await client.query('select distinct transaction_id from audit_events')).rows, [{ transaction_id: '0' }]);
      await client.end();
      return await contents(url);
    };
    assert.deepEqual(await restored('second.backup', one), kept);
    assert.equal((await run('backup', fresh('third.backup'), { DATABASE_URL: one.url })).code, 0);
    assert.deepEqual(await restored('third.backup', two), kept);
  });

  test('refuses in a sentence what it cannot store or restore, and leaves everything unchanged', async () => {
    const database = await server.newDatabase();
    const into = (to: FreshDatabase, env: Readonly<Record<string, string>> = {}) => ({
      DATABASE_URL: to.url,
      DATA_DIR: fresh('unused'),
      ...env,
    });
    const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n');
    const spoilt = (name: string, text: string): string => {
      writeFileSync(fresh(name), gzipSync(text));
      return name;
    };
    const whole = readFileSync(file);
    writeFileSync(fresh('cut'), whole.subarray(0, whole.length - 200));
    writeFileSync(fresh('text'), 'hello');
    const later = lines[0]?.replace('"migrations":[', '"migrations":[{"name":"9999_later.sql","checksum":"x"},') ?? '';
    const REFUSED: readonly [string, string, RegExp, Readonly<Record<string, string>>?][] = [
      ['backup', 'first.backup', /first\.backup already exists and was not changed/, { DATA_DIR: dataDir, DATABASE_URL: '' }],
      ['backup', 'no/such/folder', /cannot be written/, { DATA_DIR: dataDir, DATABASE_URL: '' }],
      ['backup', 'x', /There is nothing to back up: the database is empty/],
      ['backup', 'x', /There is no database in/, { DATA_DIR: fresh('nowhere'), DATABASE_URL: '' }],
      ['restore', 'missing', /missing does not exist/],
      ['restore', 'text', /is not a backup of this service/],
      ['restore', 'cut', /is incomplete or was changed, and nothing was restored/],
      ['restore', spoilt('shorter', `${lines.slice(0, 9).join('\n')}\n`), /is incomplete or was changed/],
      ['restore', spoilt('changed', lines.join('\n').replaceAll('ALLOWED', 'BLOCKED')), /is incomplete or was changed/],
      ['restore', spoilt('other', '{"format":"something else"}\n'), /is not a backup of this service/],
      ['restore', spoilt('newer', lines.join('\n').replace('"version":1', '"version":2')), /was created by a newer version/],
      ['restore', spoilt('ahead', sealed([later, ...lines.slice(1, -2)])), /of a newer version \(9999_later\.sql\)/],
      ['restore', 'first.backup', /The master key does not match this backup/, { SVC_MASTER_KEY: newMasterKey() }],
      ['restore', 'first.backup', /The master key \S+ is missing/, { SVC_MASTER_KEY: '' }],
      ['restore', 'first.backup', /is not empty and was not changed/, { DATA_DIR: dataDir, DATABASE_URL: '' }],
    ];
    await Promise.all(
      REFUSED.map(async ([program, named, sentence, env]) => {
        const { code, said } = await run(program as 'backup', fresh(named), into(database, env));
        assert.deepEqual([code, sentence.test(said), said.trim().split('\n').length], [1, true, 1], `${program} ${named}: ${said}`);
      }),
    );
    assert.deepEqual(await contents(database.url), {});
    assert.deepEqual(readFileSync(file), whole);
  });
});
