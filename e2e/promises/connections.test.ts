import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { createFreshDatabase } from '@svc/testing/database/database.ts';
import { LETS_OUT, startWorker } from '@svc/testing/events/start-worker.ts';
import { call } from '@svc/testing/people/client.ts';
import { startPlanes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

/** Maximum connections of a process as the guide states them, `a n + b`, with `n` for SVC_DATABASE_CONNECTIONS. */
const guide = readFileSync(path.resolve(import.meta.dirname, '../../docs/operating/running.md'), 'utf8');
const promised = (name: string, n: number): number => {
  const [, times, plus, byDefault] = new RegExp(`^\\| ${name} \\| (\\d*) ?n \\+ (\\d+) \\| (\\d+) \\|$`, 'm').exec(guide) ?? [];
  const count = (of: number): number => Number(times || 1) * of + Number(plus);
  assert.equal(count(8), Number(byDefault), name);
  return count(n);
};

/** Those that write rows, and one each for queries and for sessions. */
const RECORDER_CONNECTIONS = 3 * LIMITS.recording.lanesCount + 2;

/** Connections of other roles in addition to the pools: a gateway looks up agents with four and checks with one whether it can record. */
const OF_OTHER_ROLES = { control: RECORDER_CONNECTIONS + 1, gateway: RECORDER_CONNECTIONS + 5 };

const asksOf = ({ act, owner, planes, token, tenant: { environment_id }, agent }: Governed) => [
  act({ parameters: {} }),
  call(planes.gatewayUrl, 'GET', '/gateway/v1/actions/act_00000000000000000000000001', { token }),
  owner('GET', '/v1/actions'),
  owner('GET', '/v1/audit-events?q=x'),
  owner('GET', '/health/ready'),
  owner('POST', '/v1/actions/evaluate', { agent_id: agent.id, environment_id, tool: 'pay', parameters: {} }),
];

test('no process opens more connections than the guide states, and few less under load', async () => {
  const n = 2;
  const planes = await startPlanes({ jobs: false, env: { SVC_DATABASE_CONNECTIONS: String(n), SVC_DATABASE_TIMEOUT_MS: '2000' } });
  const [watcher, locker] = [await planes.database.client(), await planes.database.client()];
  try {
    // One organization alone gets only a part of each pool.
    const all = await Promise.all(Array.from({ length: 12 }, () => newGoverned(planes)));
    const most = { all: 0, control: 0, gateway: 0, recorder: 0 };
    let going = true;
    const watch = (async () => {
      for (; going; await sleep(10)) {
        const { rows } = await watcher.query<Record<keyof typeof most, number>>(
          `select count(*)::int as all, count(*) filter (where usename ~ '_(app|identity)$')::int as control,
                  count(*) filter (where usename ~ '_gateway$')::int as gateway,
                  count(*) filter (where usename ~ '_recorder$')::int as recorder
             from pg_stat_activity where datname = current_database() and usename <> current_user`,
        );
        for (const which of ['all', 'control', 'gateway', 'recorder'] as const) most[which] = Math.max(most[which], rows[0]?.[which] ?? 0);
      }
    })();
    const askAll = () => Promise.all(Array.from({ length: 4 }, () => all.flatMap(asksOf)).flat());
    await askAll();
    // A request that waits for a lock keeps its connection, so the pool is used up; it is refused after its timeout.
    for (const tables of ['sessions', 'agents, actions, audit_events', 'agent_epochs, environment_epochs']) {
      await locker.query(`begin; lock table ${tables} in access exclusive mode`);
      await askAll();
      await locker.query('rollback');
    }
    going = false;
    await watch;
    const [control, gateway] = [promised('control plane', n), promised('gateway', n)];
    const found = JSON.stringify(most);
    assert.ok(most.all <= control + gateway && most.all >= (control + gateway) / 3, found);
    assert.ok(most.control <= control - OF_OTHER_ROLES.control && most.gateway <= gateway - OF_OTHER_ROLES.gateway, found);
    assert.ok(most.recorder <= 2 * RECORDER_CONNECTIONS + 5, found);
  } finally {
    await Promise.all([watcher.end(), locker.end()]);
    await planes.stop();
  }
});

test('a worker opens no more connections than the guide states', async () => {
  const [, most] = /^\| worker \| .* \| (\d+) \|$/m.exec(guide) ?? [];
  const database = await createFreshDatabase();
  const [watcher, worker] = [
    await database.client(),
    await startWorker(database, { ...LETS_OUT, SVC_WORKER_RUNS: 'all', SVC_MAIL: 'none' }),
  ];
  try {
    let opened = 0;
    const look = async (): Promise<number> => {
      const { rows } = await watcher.query<{ n: number }>(
        'select count(*)::int as n from pg_stat_activity where datname = current_database() and usename <> current_user',
      );
      opened = Math.max(opened, rows[0]?.n ?? 0);
      return opened;
    };
    await waitUntil('its consumers and what they write have connections', async () => (await look()) >= 4);
    for (let again = 0; again < 20; again += 1) await sleep(50).then(look);
    assert.ok(opened <= Number(most), `${opened}`);
  } finally {
    await worker.stop();
    await watcher.end();
  }
});
