import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildOwnerUrl } from '@svc/database-server/cluster/owner-url.ts';
import { findServerProcesses } from '@svc/database-server/postmaster/find-server-processes.ts';
import { isAlive, type ProcessIdentity } from '@svc/database-server/system/process-identity.ts';
import { TEST_MASTER_KEY } from '@svc/testing/database/master-key.ts';
import { startOwnServer } from '@svc/testing/database/own-server.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import { launchService } from '@svc/testing/processes/launch-service.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import pg from 'pg';

const home = mkdtempSync(path.join(tmpdir(), 'svc-outages-'));
after(() => rmSync(home, { recursive: true, force: true }));
let folders = 0;
const freshFolder = (): string => path.join(home, `data-${++folders}`);

/** A restart takes one or two seconds on an idle machine. */
const BACK_WITHIN_MS = 20_000;

const get = async (url: string): Promise<TestResponse | undefined> => {
  const [outcome] = await Promise.allSettled([call(url, 'GET', '/health/ready')]);
  return outcome.status === 'fulfilled' ? outcome.value : undefined;
};
const isReady = async (url: string): Promise<boolean> => (await get(url))?.status === 200;

type Run = { readonly launcher: ProcessIdentity; readonly planes: readonly [ProcessIdentity, ProcessIdentity, ProcessIdentity] };
const runOf = (dataDir: string): Run => JSON.parse(readFileSync(path.join(dataDir, 'launcher.json'), 'utf8')) as Run;

const getPostmaster = (dataDir: string): ProcessIdentity => {
  const { postmaster } = findServerProcesses(path.join(dataDir, 'postgres'));
  assert.ok(postmaster);
  return postmaster;
};

const kill = async (identity: ProcessIdentity): Promise<void> => {
  process.kill(identity.pid, 'SIGKILL');
  await waitUntil('it is dead', () => !isAlive(identity));
};

/** Writes rows in sequence until stopped, and returns those that were acknowledged. */
const writeRows = (url: string) => {
  const answered: number[] = [];
  let isStopped = false;
  const write = async (): Promise<void> => {
    for (let row = 1; !isStopped; ) {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000, query_timeout: 5_000 });
      client.on('error', () => {});
      try {
        await client.connect();
        await client.query('create table if not exists outage_rows (row integer)');
        for (; !isStopped; row += 1) {
          await client.query('insert into outage_rows values ($1)', [row]);
          answered.push(row);
        }
      } catch {
        row += 1;
        await sleep(20);
      } finally {
        // A broken connection may never emit its end.
        void client.end().catch(() => {});
      }
    }
  };
  const writing = write();
  return {
    answered,
    stop: async () => {
      isStopped = true;
      await writing;
    },
  };
};

const storedRows = async (url: string): Promise<ReadonlySet<number>> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ row: number }>('select row from outage_rows');
  await client.end();
  return new Set(rows.map(({ row }) => row));
};

describe('the embedded database', () => {
  test('is restarted each time its postmaster is killed, with every answered row, and the planes continue', async (t) => {
    const dataDir = freshFolder();
    const service = await launchService({ dataDir });
    const before = runOf(dataDir);
    const rows = writeRows(buildOwnerUrl(dataDir) ?? '');
    try {
      for (let death = 1; death <= 4; death += 1) {
        const answered = rows.answered.length;
        await waitUntil('rows are answered', () => rows.answered.length > answered + 20);
        const killedAt = performance.now();
        await kill(getPostmaster(dataDir));
        await waitUntil('both planes are ready', async () => {
          const said = service.said().match(/The database is running again/g) ?? [];
          return said.length === death && (await isReady(service.controlUrl)) && (await isReady(service.gatewayUrl));
        });
        const tookMs = performance.now() - killedAt;
        t.diagnostic(`ready ${Math.round(tookMs)} ms after death ${death}`);
        assert.ok(tookMs < BACK_WITHIN_MS);
      }
      await rows.stop();
      const stored = await storedRows(buildOwnerUrl(dataDir) ?? '');
      assert.deepEqual(
        rows.answered.filter((row) => !stored.has(row)),
        [],
      );
      assert.deepEqual(runOf(dataDir), before);
      assert.equal((service.said().match(/The database \(process \d+\) exited unexpectedly and is being restarted/g) ?? []).length, 4);
    } finally {
      await rows.stop();
      assert.equal(await service.stop(), 0);
    }
    assert.equal(findServerProcesses(path.join(dataDir, 'postgres')).postmaster, undefined);
  });

  test('that is killed together with the launcher serves the next start', async () => {
    const dataDir = freshFolder();
    const first = await launchService({ dataDir });
    const rows = writeRows(buildOwnerUrl(dataDir) ?? '');
    await waitUntil('rows are answered', () => rows.answered.length > 20);
    const { launcher } = runOf(dataDir);
    process.kill(getPostmaster(dataDir).pid, 'SIGKILL');
    await kill(launcher);
    const second = await launchService({ dataDir });
    await rows.stop();
    const stored = await storedRows(buildOwnerUrl(dataDir) ?? '');
    assert.deepEqual(
      rows.answered.filter((row) => !stored.has(row)),
      [],
    );
    assert.ok(await isReady(second.controlUrl));
    assert.equal(await second.stop(), 0);
    await first.stop();
  });
});

describe('an own database', () => {
  test('that is unavailable does not end the service when a plane dies, for any duration', async () => {
    const server = await startOwnServer();
    const dataDir = freshFolder();
    const env = { DATABASE_URL: server.database.url, SVC_MASTER_KEY: TEST_MASTER_KEY };
    const service = await launchService({ dataDir, env });
    try {
      await server.stop();
      for (const plane of runOf(dataDir).planes) await kill(plane);
      await waitUntil('each says that it waits', () =>
        ['control plane', 'gateway', 'worker'].every((name) => service.said().includes(`The ${name} waits: The database does not respond`)),
      );
      for (const url of [service.controlUrl, service.gatewayUrl]) {
        const ready = await get(url);
        assert.deepEqual([ready?.status, ready?.json.error.details.checks], [503, { database: 'unavailable' }]);
        assert.equal((await call(url, 'GET', '/health/live')).status, 200);
      }
      const waiting = runOf(dataDir);
      // Five exits happened within six seconds.
      await sleep(8_000);
      assert.deepEqual(runOf(dataDir), waiting);
      assert.ok(waiting.planes.every(isAlive));
      await server.start();
      await waitUntil('both planes are ready', async () => (await isReady(service.controlUrl)) && (await isReady(service.gatewayUrl)));
      await waitUntil('the worker is ready', () => service.said().includes('The worker is ready again.'));
      assert.deepEqual(runOf(dataDir), waiting);
    } finally {
      assert.equal(await service.stop(), 0);
      await server.remove();
    }
  });

  test('that is unavailable when the service starts is waited for, with both ports open', async () => {
    const server = await startOwnServer();
    await server.stop();
    const dataDir = freshFolder();
    const [control, gateway] = [await freePort(), await freePort()];
    const env = {
      ...{ DATABASE_URL: server.database.url, SVC_MASTER_KEY: TEST_MASTER_KEY },
      ...{ CONTROL_PLANE_PORT: String(control), GATEWAY_PORT: String(gateway) },
    };
    const launching = launchService({ dataDir, env });
    const urls = [`http://127.0.0.1:${control}`, `http://127.0.0.1:${gateway}`];
    for (const url of urls) {
      await waitUntil('its port is open', async () => (await get(url)) !== undefined);
      assert.equal((await get(url))?.status, 503);
      assert.equal((await call(url, 'GET', '/health/live')).status, 200);
      const refused = await call(url, 'POST', '/v1/auth/login', { body: {} });
      assert.deepEqual([refused.status, refused.json.error.code], [503, 'DEPENDENCY_UNAVAILABLE']);
      assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    }
    await server.start();
    const service = await launching;
    assert.match(service.said(), /The database at DATABASE_URL could not be brought up to date .*The start waits for it\.\n/);
    for (const url of urls) assert.equal((await get(url))?.status, 200);
    assert.equal(await service.stop(), 0);
    await server.remove();
  });
});
