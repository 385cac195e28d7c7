import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import { startPlanes } from '@svc/testing/planes/start-planes.ts';

/** What the guide says that a process opens at most, `a n + b`, with `n` for SVC_DATABASE_CONNECTIONS. */
const promised = (name: string, n: number): number => {
  const guide = readFileSync(path.resolve(import.meta.dirname, '../../docs/operating/running.md'), 'utf8');
  const [, times, plus, byDefault] = new RegExp(`^\\| ${name} \\| (\\d*) ?n \\+ (\\d+) \\| (\\d+) \\|$`, 'm').exec(guide) ?? [];
  const count = (of: number): number => Number(times || 1) * of + Number(plus);
  assert.equal(count(8), Number(byDefault), name);
  return count(n);
};

test('no process opens more connections than the guide says, and under load hardly fewer', async () => {
  const n = 2;
  const planes = await startPlanes({ env: { SVC_DATABASE_CONNECTIONS: String(n) } });
  const owner = await planes.database.client();
  try {
    const { act, owner: person, tenant, agent } = await newGoverned(planes);
    let [most, going] = [0, true];
    const watch = (async () => {
      for (; going; await sleep(10)) {
        const { rows } = await owner.query<{ n: number }>(
          'select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        );
        most = Math.max(most, rows[0]?.n ?? 0);
      }
    })();
    const evaluated = { agent_id: agent.id, environment_id: tenant.environment_id, tool: 'pay', parameters: {} };
    for (let round = 0; round < 4; round += 1)
      await Promise.all(
        Array.from({ length: 12 }, () => [
          act({ parameters: {} }),
          person('GET', '/v1/actions'),
          person('GET', '/v1/audit-events'),
          person('GET', '/health/ready'),
          person('POST', '/v1/actions/evaluate', evaluated),
        ]).flat(),
      );
    going = false;
    await watch;
    const atMost = promised('control plane', n) + promised('gateway', n);
    assert.ok(most <= atMost && most >= atMost / 4, `${most} connections of at most ${atMost}`);
  } finally {
    await owner.end();
    await planes.stop();
  }
});
