import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { activateRules, type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { call } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

/** Half a second on an idle machine. */
const EMERGENCY_MS_MAX = 5_000;
const ROWS = countRepetitions({ short: 10_000, long: 60_000 });

let planes: Planes;
let busy: Governed;
let other: Governed;
let quiet: Governed;
before(async () => {
  planes = await leasePlanes();
  [busy, other, quiet] = await Promise.all([newGoverned(planes), newGoverned(planes), newGoverned(planes)]);
  const { json } = await busy.act({});
  const owner = await planes.database.client();
  await owner.query(
    `insert into actions select (a).* from (select json_populate_record(a, json_build_object('id', left($1, 20) || lpad(n::text, 10, '0'))) as a
       from actions a, generate_series(1, ${ROWS}) n where a.id = $1) made`,
    [json.action_id],
  );
  await owner.query('analyze actions');
  await owner.end();
});
after(() => planes.stop());

/** Builds a condition with many distinct cases, for proofs that use all their time. */
const costly = (field: string, letters: string) => ({ any: [...letters].map((value) => ({ field, op: 'contains', value })) });

/** Keeps searches, proofs and replays of one organization at their limits until `stop` is called. */
const keepBusy = (policyId: string): { readonly stop: () => Promise<unknown> } => {
  const stopped = new AbortController();
  const { controlUrl, token } = busy.tenant;
  const over = (count: number, work: (turn: number) => readonly [method: string, path: string, body?: object]) =>
    Array.from({ length: count }, async (_, turn) => {
      while (!stopped.signal.aborted) {
        const [method, path, body] = work(turn);
        await call(controlUrl, method, path, { token, signal: stopped.signal, ...(body === undefined ? {} : { body }) }).catch(
          () => undefined,
        );
      }
    });
  const queries = ['tool=none', 'code=NONE', 'status=EXPIRED', 'request_id=none', 'decision=MASK'].map((query) => `/v1/actions?${query}`);
  const searches = [...queries, '/v1/audit-events?q=nowhere'];
  const when = { all: [costly('principal.id', 'abcdefgh'), costly('agent.id', '01234567')] };
  const busyWith = [
    ...over(40, (turn) => ['GET', searches[turn % searches.length] ?? '']),
    ...over(11, () => ['POST', '/v1/policies/invariants/check', { when, at_least: 'BLOCK' }]),
    ...over(6, () => ['GET', `/v1/policies/${policyId}/diff?from=1&to=2`]),
    ...over(4, () => ['GET', '/v1/agents?limit=200']),
  ];
  return {
    stop: () => {
      stopped.abort();
      return Promise.all(busyWith);
    },
  };
};

test('pausing, revoking and suspending do not wait for searches, proofs or replays, not even of the same organization', async () => {
  const replayed = await activateRules(busy.tenant, 'replayed', [{ id: 'allow', effect: 'ALLOW', reason: 'r' }]);
  const edited = await busy.owner('PATCH', `/v1/policies/${replayed}`, { rules: [{ id: 'allow', effect: 'BLOCK', reason: 'r' }] });
  assert.equal(edited.status, 200, edited.text);
  const reason = 'an emergency';
  const took: string[] = [];
  const measure = async (who: string, of: Governed): Promise<number> => {
    let longest = 0;
    const { environment_id } = of.tenant;
    for (const [path, body] of [
      [`/v1/environments/${environment_id}/pause`, { reason }],
      [`/v1/environments/${environment_id}/gateway-mode`, { mode: 'ENFORCE' }],
      [`/v1/policies/${of.policyId}/suspend`, { reason }],
      [`/v1/agents/${of.agent.id}/suspend`, { reason }],
      [`/v1/agents/${of.agent.id}/revoke`, { reason }],
    ] as const) {
      const begun = performance.now();
      const { status, text } = await of.owner('POST', path, body);
      assert.equal(status, 200, text);
      const ms = performance.now() - begun;
      longest = Math.max(longest, ms);
      took.push(`${who} ${path.split('/').slice(-1)} ${ms.toFixed(0)} ms`);
    }
    return longest;
  };
  const quietMs = await measure('quiet', quiet);
  const work = keepBusy(replayed);
  let longestMs = 0;
  try {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    longestMs = Math.max(await measure('other', other), await measure('busy', busy));
  } finally {
    await work.stop();
  }
  process.stdout.write(`# ${took.join(', ')}\n`);
  assert.ok(longestMs < Math.max(EMERGENCY_MS_MAX, 10 * quietMs), took.join(', '));
});
