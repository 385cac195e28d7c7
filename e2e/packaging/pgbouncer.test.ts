import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { listTestLogins, testLogin } from '@svc/testing/database/master-key.ts';
import { getPlaneEnvironment } from '@svc/testing/planes/start-planes.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import pg from 'pg';
import { getEnded, startProgram } from '../fail-closed/start-program.ts';

const isInstalled = spawnSync('pgbouncer', ['--version']).status === 0;
const PROGRAMS = ['control-plane', 'gateway', 'worker'];
const IGNORED = 'options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout';

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy());
  });

describe('PgBouncer in transaction mode', { skip: isInstalled ? false : 'pgbouncer is not installed' }, () => {
  let database: FreshDatabase;
  const home = mkdtempSync(path.join(tmpdir(), 'svc-pgbouncer-'));
  const running: ChildProcess[] = [];
  before(async () => {
    database = await createFreshDatabase();
    chmodSync(home, 0o755);
  });
  after(async () => {
    for (const child of running) child.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
    await database.drop();
  });

  /** Starts it as the account of the server, since it refuses to run as root, and returns the address of the database behind it. */
  const startPooler = async (name: string, ignored: string): Promise<URL> => {
    const port = await freePort();
    const url = new URL(database.url);
    const socket = url.searchParams.get('host') ?? '';
    const { uid, gid } = statSync(socket);
    const users = listTestLogins().map(({ user, password }) => `"${user}" "${password}"`);
    writeFileSync(path.join(home, `${name}.txt`), users.join('\n'));
    writeFileSync(
      path.join(home, `${name}.ini`),
      [
        `[databases]\n* = host=${socket} port=${url.searchParams.get('port') ?? 5432}`,
        `[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\npool_mode = transaction`,
        `auth_type = scram-sha-256\nauth_file = ${home}/${name}.txt\nignore_startup_parameters = ${ignored}\n`,
      ].join('\n'),
    );
    const account = process.geteuid?.() === 0 ? { uid, gid } : {};
    const child = spawn('pgbouncer', [path.join(home, `${name}.ini`)], { ...account, cwd: home, stdio: 'ignore' });
    running.push(child);
    await waitUntil('PgBouncer listens', async () => {
      assert.equal(child.exitCode, null);
      return accepts(port);
    });
    return new URL(`postgres://127.0.0.1:${port}${url.pathname}`);
  };

  const refuse = async (program: string, pooler: URL): Promise<void> => {
    const { child, errors } = startProgram(program, { ...getPlaneEnvironment(database), SVC_MAIL: 'none', DATABASE_URL: pooler.href });
    running.push(child);
    await getEnded(child);
    assert.equal(child.exitCode, 75, errors());
    assert.match(errors(), /A pooler answers at the address in DATABASE_URL/);
    assert.match(errors(), /name the address of the database itself/i);
  };

  test('forwards statements of a client that requests no settings', async () => {
    const pooler = await startPooler('plain', '');
    const { user, password } = testLogin('svc_app');
    [pooler.username, pooler.password] = [user, password];
    const client = new pg.Client({ connectionString: pooler.href });
    await client.connect();
    assert.equal((await client.query('select 1 as one')).rows[0].one, 1);
    await client.end();
  });

  test('all programs refuse to start behind it, with a sentence', async () => {
    const pooler = await startPooler('refusing', '');
    for (const program of PROGRAMS) await refuse(program, pooler);
  });

  test('all programs refuse to start where it drops the settings of connections', async () => {
    const pooler = await startPooler('dropping', IGNORED);
    for (const program of PROGRAMS) await refuse(program, pooler);
  });
});
