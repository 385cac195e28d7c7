import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import type { FreshDatabase } from '@svc/testing/database/database.ts';
import { type ManagedServer, SERVER_KINDS } from '@svc/testing/database/managed-server.ts';
import { TEST_MASTER_KEY } from '@svc/testing/database/master-key.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import { getPersonsEnvironment } from '@svc/testing/processes/launch-service.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import pg from 'pg';

const root = path.resolve(import.meta.dirname, '../../..');
const main = path.join(import.meta.dirname, 'program.ts');
const [embedded] = SERVER_KINDS;
const PASSWORD = 'not-a-secret';

let server: ManagedServer;
let database: FreshDatabase;
/** Database address with the login of the programs. */
let programsUrl: string;
const children: ChildProcess[] = [];

const environment = (url: string, others: Record<string, string> = {}): NodeJS.ProcessEnv =>
  getPersonsEnvironment({ DATABASE_URL: url, SVC_MASTER_KEY: TEST_MASTER_KEY, SVC_MAIL: 'none', LOG_LEVEL: 'error', ...others });

const ops = (url: string, ...words: readonly string[]) =>
  spawnSync(process.execPath, [main, 'ops', ...words], { cwd: root, env: environment(url), encoding: 'utf8' });

/** Returns the statements of the operator's guide that create the login of the programs. */
const loginStatements = (): string => {
  const guide = readFileSync(path.join(root, 'docs/operating/containers.md'), 'utf8');
  const [, sql] = /```sql\n(create role governance_programs[^`]*)```/.exec(guide) ?? [];
  assert.ok(sql);
  return sql
    .replace("'...'", `'${PASSWORD}'`)
    .replace('on database governance ', `on database ${new URL(database.url).pathname.slice(1)} `);
};

type Started = { readonly child: ChildProcess; readonly errors: () => string; readonly ready: Promise<Record<string, unknown>> };

const start = (program: string, others: Record<string, string> = {}): Started => {
  const child = spawn(process.execPath, [main, program], {
    cwd: root,
    env: environment(programsUrl, others),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const ready = new Promise<Record<string, unknown>>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('{"ready":true')) resolve(JSON.parse(line));
    });
    child.once('exit', () => reject(new Error(errors.join(''))));
  });
  void Promise.allSettled([ready]);
  return { child, errors: () => errors.join(''), ready };
};

before(async () => {
  assert.ok(embedded);
  server = await embedded.start();
  database = await server.newDatabase();
});
after(async () => {
  for (const child of children) child.kill('SIGKILL');
  await server.remove();
});

test('checks an empty database, sets it up, and finds nothing left to do', async () => {
  const checked = ops(database.url, 'check');
  assert.equal(checked.status, 0, checked.stderr);
  assert.match(checked.stdout, /^NOTE {3}\d+ migrations are pending: 0001_/m);
  const client = await database.client();
  assert.equal((await client.query("select from pg_class where relname = 'organizations'")).rowCount, 0);
  await client.end();
  const migrated = ops(database.url, 'migrate');
  assert.equal(migrated.status, 0, migrated.stderr);
  assert.match(migrated.stdout, /^Applied 0001_tenancy_and_people\.sql$/m);
  assert.match(ops(database.url, 'migrate').stdout, /nothing was changed/);
  assert.match(ops(database.url, 'check').stdout, /^OK {5}No migration is pending/m);
});

test('all programs run with a login that can read two tables only, and keep the process id of their start', async () => {
  const admin = await server.asSuperuser(new URL(database.url).pathname.slice(1));
  await admin.query(loginStatements());
  await admin.end();
  const url = new URL(database.url);
  [url.username, url.password] = ['governance_programs', PASSWORD];
  programsUrl = url.href;
  const own = new pg.Client({ connectionString: programsUrl });
  await own.connect();
  await assert.rejects(own.query('select * from users'), { code: '42501' });
  await assert.rejects(own.query('create table public.x ()'), { code: '42501' });
  await own.end();
  const metrics = await freePort();
  const started = [
    start('control-plane', { CONTROL_PLANE_PORT: '0' }),
    start('gateway', { GATEWAY_PORT: '0' }),
    start('worker', { SVC_WORKER_METRICS: String(metrics) }),
  ];
  const [control, gateway] = await Promise.all(started.map(({ ready }) => ready));
  for (const base of [control?.url, gateway?.url, `http://127.0.0.1:${metrics}`]) {
    const answer = await fetch(`${base}/health/ready`);
    assert.equal(answer.status, 200, await answer.text());
  }
  for (const { child } of started) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
  }
});

test('a program refuses a schema of an older or a newer version, with the remedy', async () => {
  const owner = await database.client();
  const refusal = async (): Promise<string> => {
    const { child, errors } = start('gateway', { GATEWAY_PORT: '0' });
    await waitUntil('the gateway ended', () => child.exitCode !== null);
    assert.equal(child.exitCode, 75);
    return errors();
  };
  await owner.query("insert into schema_migrations (name, checksum) values ('9999_later.sql', 'x')");
  assert.match(await refusal(), /newer version \(9999_later\.sql\)\. Start a program of that version\./);
  assert.match(ops(database.url, 'check').stdout, /^FAULT .*newer version/m);
  await owner.query("delete from schema_migrations where name = '9999_later.sql'");
  const { rows } = await owner.query("delete from schema_migrations where name like '0247%' returning name, checksum");
  assert.match(await refusal(), /older version \(0247_.*npm run ops -- migrate/);
  await owner.query('insert into schema_migrations (name, checksum) values ($1, $2)', [rows[0].name, rows[0].checksum]);
  await owner.end();
});
