import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call } from '@svc/testing/people/client.ts';
import { startPlanes } from '@svc/testing/planes/start-planes.ts';

/** What the guide says that a process opens at most, `a n + b`, with `n` for SVC_DATABASE_CONNECTIONS. */
const promised = (name: string, n: number): number => {
  const guide = readFileSync(path.resolve(import.meta.dirname, '../../docs/operating/running.md'), 'utf8');
  const [, times, plus, byDefault] = new RegExp(`^\\| ${name} \\| (\\d*) ?n \\+ (\\d+) \\| (\\d+) \\|$`, 'm').exec(guide) ?? [];
  const count = (of: number): number => Number(times || 1) * of + Number(plus);
  assert.equal(count(8), Number(byDefault), name);
  return count(n);
};

/** Of the connections besides the pools: those that record, whose role has no others. */
const RECORDING = 8;

const asksOf = ({ act, owner, planes, token, tenant: { environment_id }, agent }: Governed) => [
  act({ parameters: {} }),
  call(planes.gatewayUrl, 'GET', '/gateway/v1/actions/act_00000000000000000000000001', { token }),
  owner('GET', '/v1/actions'),
  owner('GET', '/v1/audit-events?q=x'),
  owner('GET', '/health/ready'),
  owner('POST', '/v1/actions/evaluate', { agent_id: agent.id, environment_id, tool: 'pay', parameters: {} }),
];

test('no process opens more connections than the guide says, and under load hardly fewer', async () => {
  const n = 2;
  const planes = await startPlanes({ env: { SVC_DATABASE_CONNECTIONS: String(n), SVC_DATABASE_TIMEOUT_MS: '2000' } });
  const [watcher, locker] = [await planes.database.client(), await planes.database.client()];
  try {
    // One organization alone has but a part of each pool.
    const all = await Promise.all(Array.from({ length: 12 }, () => newGoverned(planes)));
    const most = { all: 0, control: 0, gateway: 0 };
    let going = true;
    const watch = (async () => {
      for (; going; await sleep(10)) {
        const { rows } = await watcher.query<Record<keyof typeof most, number>>(
          `select count(*)::int as all, count(*) filter (where usename ~ '_(app|identity)$')::int as control,
                  count(*) filter (where usename ~ '_gateway$')::int as gateway
             from pg_stat_activity where datname = current_database() and usename <> current_user`,
        );
        for (const which of ['all', 'control', 'gateway'] as const) most[which] = Math.max(most[which], rows[0]?.[which] ?? 0);
      }
    })();
    const askAll = () => Promise.all(Array.from({ length: 4 }, () => all.flatMap(asksOf)).flat());
    await askAll();
    // What waits for a lock keeps its connection, so that each that may be opened is; it is refused when its time is over.
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
    assert.ok(most.control <= control - RECORDING && most.gateway <= gateway - RECORDING, found);
  } finally {
    await Promise.all([watcher.end(), locker.end()]);
    await planes.stop();
  }
});
