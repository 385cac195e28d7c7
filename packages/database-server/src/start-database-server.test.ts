import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseServerFault } from '@svc/postgres/migrate/database-server-fault.ts';
import pg from 'pg';
import { layOut } from './cluster/data-layout.ts';
import { buildOwnerUrl } from './cluster/owner-url.ts';
import { prepareSocketFolder } from './cluster/socket-folder.ts';
import { findServerProcesses } from './postmaster/find-server-processes.ts';
import { type DatabaseServer, startDatabaseServer } from './start-database-server.ts';
import { identifyProcess, isAlive } from './system/process-identity.ts';

const home = mkdtempSync(path.join(tmpdir(), 'svc-server-test-'));
after(() => rmSync(home, { recursive: true, force: true }));
let folders = 0;
const freshFolder = (): string => path.join(home, `data-${++folders}`);

const query = async (url: string, text: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
};

const withServer = async (dataDir: string, use: (server: DatabaseServer) => Promise<void>): Promise<void> => {
  const server = await startDatabaseServer({ dataDir });
  try {
    await use(server);
  } finally {
    await server.stop();
  }
};

/** Starts the server in a separate process that holds it until it is killed. */
const startElsewhere = async (dataDir: string): Promise<ChildProcess> => {
  const script = `import { startDatabaseServer } from ${JSON.stringify(import.meta.resolve('./start-database-server.ts'))};
    const server = await startDatabaseServer({ dataDir: ${JSON.stringify(dataDir)} });
    setInterval(() => {}, 1000);
    console.log(server.pid);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve());
    child.once('exit', () => reject(new Error('the other process could not start the server')));
  });
  return child;
};

const killAndAwait = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
};

const postmasterPid = (dataDir: string): number =>
  Number(readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

describe('a first start', () => {
  test('creates a UTF8 cluster with C collation that listens on its socket and on no network', async () => {
    const dataDir = freshFolder();
    await withServer(dataDir, async (server) => {
      assert.equal(server.adopted, false);
      assert.equal(server.pid, postmasterPid(dataDir));
      const [row] = await query(
        server.ownerUrl,
        `select current_setting('listen_addresses') as net, current_setting('server_encoding') as encoding, d.datlocprovider as provider,
          d.datlocale as locale, current_setting('data_checksums') as checksums, 'a' > 'B' as c_order, current_user as role
          from pg_database d where datname = current_database()`,
      );
      assert.deepEqual(row, { net: '', encoding: 'UTF8', provider: 'b', locale: 'C.UTF-8', checksums: 'on', c_order: true, role: 'owner' });
    });
  });

  test('uses log files so small that filling a new one delays no commit for long, and rare, short checkpoints', async () => {
    await withServer(freshFolder(), async (server) => {
      const of = (name: string, as: string) => `current_setting('${name}') as ${as}`;
      const asked = [of('wal_segment_size', 'file'), of('max_wal_size', 'checkpoint'), of('backend_flush_after', 'left')];
      const left = process.platform === 'linux' ? '256kB' : '0';
      assert.deepEqual(await query(server.ownerUrl, `select ${asked.join(', ')}`), [{ file: '1MB', checkpoint: '1GB', left }]);
    });
  });

  test('closes the cluster, the password and the socket to other users, and rejects a connection without the password', async () => {
    const dataDir = freshFolder();
    await withServer(dataDir, async (server) => {
      const getMode = (name: string): number => statSync(path.join(dataDir, name)).mode & 0o777;
      assert.deepEqual([getMode('postgres'), getMode('postgres/owner.password'), getMode('socket')], [0o700, 0o600, 0o700]);
      const url = new URL(server.ownerUrl);
      assert.ok(url.password.length >= 32);
      url.password = 'guess';
      await assert.rejects(query(url.href, 'select 1'), { code: '28P01' });
      const rules = readFileSync(path.join(dataDir, 'postgres', 'pg_hba.conf'), 'utf8').split('\n');
      assert.ok(rules.filter((line) => /^(local|host)/.test(line)).every((line) => line.trim().endsWith('scram-sha-256')));
    });
  });

  test('leaves no process and no incomplete folder after a stop, and the next start is not a first one', async () => {
    const dataDir = freshFolder();
    let pid = 0;
    await withServer(dataDir, async (server) => {
      pid = server.pid;
      await query(server.ownerUrl, 'create table kept (n int)');
    });
    assert.equal(identifyProcess(pid), undefined);
    assert.equal(existsSync(path.join(dataDir, 'postgres', 'postmaster.pid')), false);
    await withServer(dataDir, async (server) => {
      assert.deepEqual(await query(server.ownerUrl, 'select n from kept'), []);
      assert.equal(server.ownerUrl, buildOwnerUrl(dataDir));
    });
  });
});

describe('a server that is already running', () => {
  test('is adopted, and a stop of the adopter leaves it to the process that started it', async () => {
    const dataDir = freshFolder();
    await withServer(dataDir, async (first) => {
      const second = await startDatabaseServer({ dataDir });
      assert.deepEqual([second.adopted, second.pid, second.ownerUrl], [true, first.pid, first.ownerUrl]);
      await second.stop();
      assert.equal((await query(first.ownerUrl, 'select 1 as one')).length, 1);
    });
  });

  test('survives the kill of its starter, is adopted by the next start and stopped by that one', async () => {
    const dataDir = freshFolder();
    const starter = await startElsewhere(dataDir);
    const pid = postmasterPid(dataDir);
    await killAndAwait(starter, 'SIGKILL');
    const server = await startDatabaseServer({ dataDir });
    assert.deepEqual([server.adopted, server.pid], [true, pid]);
    await server.stop();
    assert.equal(identifyProcess(pid), undefined);
    await server.exited;
  });

  test('does not receive the Ctrl-C sent to the process group of its starter', async () => {
    const dataDir = freshFolder();
    const starter = await startElsewhere(dataDir);
    // While it is stopped, the starter cannot pass anything on; only a signal to its group could reach the server.
    starter.kill('SIGSTOP');
    process.kill(-(starter.pid ?? Number.NaN), 'SIGINT');
    await sleep(200);
    assert.equal((await query(buildOwnerUrl(dataDir) ?? '', 'select 1 as one')).length, 1);
    await killAndAwait(starter, 'SIGKILL');
    await withServer(dataDir, async (server) => assert.equal(server.adopted, true));
  });

  test('is stopped when its starter ends without stopping it', async () => {
    const dataDir = freshFolder();
    const script = `import { startDatabaseServer } from ${JSON.stringify(import.meta.resolve('./start-database-server.ts'))};
      await startDatabaseServer({ dataDir: ${JSON.stringify(dataDir)} });
      process.exit(3);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
    assert.equal(await new Promise((resolve) => child.once('exit', resolve)), 3);
    // The file disappears a moment before the process.
    const running = () => findServerProcesses(path.join(dataDir, 'postgres')).postmaster;
    for (let tries = 0; running() !== undefined && tries < 3_000; tries += 1) await sleep(20);
    assert.equal(running(), undefined);
  });

  test('and hangs is reported in one sentence within the timeout, and adopted once it answers again', async () => {
    const dataDir = freshFolder();
    await withServer(dataDir, async (server) => {
      process.kill(server.pid, 'SIGSTOP');
      const begun = performance.now();
      await assert.rejects(startDatabaseServer({ dataDir, readyTimeoutMs: 500 }), /did not respond within 0\.5 s\. .*"kill -9 /);
      assert.ok(performance.now() - begun < 30_000);
      process.kill(server.pid, 'SIGCONT');
      const second = await startDatabaseServer({ dataDir });
      assert.deepEqual([second.adopted, second.pid], [true, server.pid]);
      await second.stop();
    });
  });

  test('and is frozen still stops cleanly', async () => {
    const dataDir = freshFolder();
    const server = await startDatabaseServer({ dataDir });
    process.kill(server.pid, 'SIGSTOP');
    await server.stop();
    assert.match(readFileSync(path.join(dataDir, 'postgres.log'), 'utf8'), /database system is shut down\n$/);
  });

  test('is replaced if its socket is missing', async () => {
    const dataDir = freshFolder();
    const starter = await startElsewhere(dataDir);
    const pid = postmasterPid(dataDir);
    rmSync(path.join(dataDir, 'socket'), { recursive: true });
    await withServer(dataDir, async (server) => {
      assert.notEqual(server.pid, pid);
      assert.equal((await query(server.ownerUrl, 'select 1 as one')).length, 1);
    });
    await killAndAwait(starter, 'SIGKILL');
  });
});

describe('concurrent starts', () => {
  test('of a fresh folder share one cluster and one server', async () => {
    const dataDir = freshFolder();
    const starters = await Promise.all([startElsewhere(dataDir), startElsewhere(dataDir), startElsewhere(dataDir)]);
    const { postmaster, orphans } = findServerProcesses(path.join(dataDir, 'postgres'));
    assert.equal(postmaster?.pid, postmasterPid(dataDir));
    assert.deepEqual(orphans, []);
    assert.equal((await query(buildOwnerUrl(dataDir) ?? '', 'select 1 as one')).length, 1);
    await Promise.all(starters.map((starter) => killAndAwait(starter, 'SIGKILL')));
    await withServer(dataDir, async (server) => assert.equal(server.adopted, true));
  });
});

describe('a start after a crash', () => {
  test('restores every committed row after a kill of the postmaster, even if one of its processes remains', async () => {
    const dataDir = freshFolder();
    const server = await startDatabaseServer({ dataDir });
    await query(server.ownerUrl, 'create table kept (n int); insert into kept values (1), (2)');
    const session = new pg.Client(server.ownerUrl);
    session.on('error', () => {});
    await session.connect();
    const { rows } = await session.query<{ pid: number }>('select pg_backend_pid() as pid');
    const backend = identifyProcess(rows[0]?.pid ?? 0);
    assert.ok(backend);
    process.kill(backend.pid, 'SIGSTOP');
    process.kill(server.pid, 'SIGKILL');
    await server.exited;
    assert.equal(isAlive(backend), true);
    const lines: string[] = [];
    const next = await startDatabaseServer({ dataDir, log: (line) => lines.push(line) });
    assert.equal(next.adopted, false);
    assert.equal(isAlive(backend), false);
    assert.deepEqual(await query(next.ownerUrl, 'select n from kept order by n'), [{ n: 1 }, { n: 2 }]);
    assert.match(lines.join('\n'), /killed database server left behind/);
    await next.stop();
  });

  test('is not blocked by locks whose process id belongs to another program now', async () => {
    const dataDir = freshFolder();
    await withServer(dataDir, async () => {});
    const { uid, gid } = statSync(path.join(dataDir, 'postgres'));
    const stranger = spawn('sleep', ['60'], { uid, gid });
    writeFileSync(
      path.join(dataDir, 'postgres', 'postmaster.pid'),
      `${stranger.pid}\n${dataDir}/postgres\n1\n5432\n${dataDir}/socket\n\n\nready   \n`,
    );
    writeFileSync(path.join(dataDir, 'socket', '.s.PGSQL.5432.lock'), `${stranger.pid}\n${dataDir}/postgres\n1\n5432\n${dataDir}/socket\n`);
    await withServer(dataDir, async (server) => assert.equal(server.adopted, false));
    await killAndAwait(stranger, 'SIGKILL');
  });

  test('is not blocked by locks that a power failure left empty or truncated', { skip: process.platform !== 'linux' }, async () => {
    const dataDir = freshFolder();
    await withServer(dataDir, async () => {});
    for (const left of ['', '\n', 'not a process']) {
      writeFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), left);
      await withServer(dataDir, async (server) => assert.equal(server.adopted, false, JSON.stringify(left)));
    }
    writeFileSync(path.join(dataDir, 'socket', '.s.PGSQL.5432.lock'), '');
    await withServer(dataDir, async (server) => assert.equal(server.adopted, false));
  });
});

describe('a start is refused in one sentence', () => {
  test('when a setting would lose committed records, and no process keeps running', async () => {
    const dataDir = freshFolder();
    await assert.rejects(startDatabaseServer({ dataDir, settings: { fsync: 'off' } }), (error: unknown) => {
      assert.ok(error instanceof DatabaseServerFault);
      assert.match(error.message, /fsync is off/);
      return true;
    });
    assert.equal(findServerProcesses(path.join(dataDir, 'postgres')).postmaster, undefined);
    await withServer(dataDir, async (server) => {
      await query(server.ownerUrl, 'create role careless; alter role careless set synchronous_commit = off');
    });
    await assert.rejects(startDatabaseServer({ dataDir }), /synchronous_commit=off for role careless/);
    await assert.rejects(startDatabaseServer({ dataDir, settings: { synchronous_commit: 'off' } }), DatabaseServerFault);
  });

  test('when the cluster is of another major version', async () => {
    const dataDir = freshFolder();
    mkdirSync(path.join(dataDir, 'postgres'), { recursive: true });
    writeFileSync(path.join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
    await assert.rejects(startDatabaseServer({ dataDir }), /was created by PostgreSQL 17, but this is PostgreSQL 18/);
  });

  test("when other files are in the cluster's folder", async () => {
    const dataDir = freshFolder();
    mkdirSync(path.join(dataDir, 'postgres'), { recursive: true });
    writeFileSync(path.join(dataDir, 'postgres', 'letter.txt'), 'dear diary');
    await assert.rejects(startDatabaseServer({ dataDir }), /contains other files but no database/);
  });

  test('when the password was lost or changed', async () => {
    const dataDir = freshFolder();
    await withServer(dataDir, async () => {});
    const file = path.join(dataDir, 'postgres', 'owner.password');
    writeFileSync(file, 'changed');
    await assert.rejects(startDatabaseServer({ dataDir }), /does not accept the owner's password/);
    assert.equal(findServerProcesses(path.join(dataDir, 'postgres')).postmaster, undefined);
    rmSync(file);
    await assert.rejects(startDatabaseServer({ dataDir }), /owner's password .* is missing/);
  });

  test('with the reason from PostgreSQL itself when a setting is wrong', async () => {
    await assert.rejects(
      startDatabaseServer({ dataDir: freshFolder(), settings: { shared_buffers: 'lots' } }),
      /invalid value for parameter "shared_buffers"/,
    );
  });
});

test('a data folder too deep for a socket path gets a short private one, the same at every start', async () => {
  const dataDir = path.join(freshFolder(), 'x'.repeat(100));
  const lines: string[] = [];
  const first = await startDatabaseServer({ dataDir, log: (line) => lines.push(line) });
  const folder = new URL(first.ownerUrl).searchParams.get('host') ?? '';
  assert.match(lines.join('\n'), /limit of \d+ bytes/);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.equal((await query(first.ownerUrl, 'select 1 as one')).length, 1);
  await first.stop();
  await withServer(dataDir, async (second) => assert.equal(second.ownerUrl, first.ownerUrl));
  rmSync(folder, { recursive: true });
});

test('a data folder too deep for a socket path starts without a folder for temporary files', async () => {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = path.join(freshFolder(), 'nowhere');
  try {
    const layout = layOut(path.join(freshFolder(), 'x'.repeat(100)));
    mkdirSync(layout.dataDir, { recursive: true });
    const folder = prepareSocketFolder(layout, undefined, () => {});
    assert.match(folder, /^\/tmp\/svc-/);
    rmSync(folder, { recursive: true });
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
});

test('ownerUrl returns undefined for a folder without a database', () => {
  assert.equal(buildOwnerUrl(freshFolder()), undefined);
});
