import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { buildId } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import type pg from 'pg';

let planes: Planes;
let owner: pg.Client;
before(async () => {
  planes = await startPlanes({ gateways: 0, env: { SVC_DATABASE_TIMEOUT_MS: '60000' } });
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await planes.stop();
});

/** Delays each written row of one organization until the returned function is called. */
const slow = async (table: string, event: 'insert' | 'update', { organization_id }: Tenant, seconds: number) => {
  const name = `slow_${table}_${event}`;
  await owner.query(`create function ${name}() returns trigger language plpgsql as $$ begin
    if new.organization_id = '${organization_id}' then perform pg_sleep(${seconds}); end if; return new; end $$`);
  await owner.query(`create trigger ${name} before ${event} on ${table} for each row execute function ${name}()`);
  return () => owner.query(`drop trigger ${name} on ${table}; drop function ${name}()`);
};
const newPlace = async (): Promise<Tenant> => {
  const tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  return tenant;
};
const manyAgents = async (tenant: Tenant, count: number): Promise<string[]> => {
  const ids = Array.from({ length: count }, () => buildId('agent', newUlid()));
  await owner.query(
    `insert into agents (organization_id, id, workspace_id, environment_id, name) select $1, id, $2, $3, id from unnest($4::text[]) id`,
    [tenant.organization_id, tenant.workspace_id, tenant.environment_id, ids],
  );
  return ids;
};
const bulk = (tenant: Tenant, operation: string, agent_ids: readonly string[]) =>
  mustCall(planes.controlUrl, 'POST', '/v1/agents/bulk', { token: tenant.token, body: { agent_ids, operation, reason: 'test' } });

type Result = { readonly agent_id: string; readonly outcome: string; readonly code: string | null; readonly reason: string };
const withOutcome = (results: readonly Result[], outcome: string): Result[] => results.filter((each) => each.outcome === outcome);

/** Repeats a call until it leaves nothing; a busy machine completes only a part in the time of one call. Returns the completed amounts. */
const repeatUntilDone = async (repeat: () => Promise<{ readonly done: number; readonly left: number }>): Promise<number> => {
  let total = 0;
  for (;;) {
    const { done, left } = await repeat();
    total += done;
    if (left === 0) return total;
    assert.ok(done > 0, `a repetition did nothing, and left ${left}`);
  }
};

describe('a call whose work exceeds the time of one call', { concurrency: true }, () => {
  test('bulk: agents that were not started in time are reported, unchanged, and done by the same call again', async () => {
    const tenant = await newPlace();
    const ids = await manyAgents(tenant, 10 * LIMITS.bulk.batchCount);
    const release = await slow('agents', 'update', tenant, 0.12);
    const { results, counts } = await bulk(tenant, 'suspend', ids);
    await release();
    const left = withOutcome(results, 'NOT_DONE');
    assert.ok(left.length > 0 && counts.changed > 0, JSON.stringify(counts));
    assert.equal(left.length + counts.changed, ids.length);
    for (const { code, reason } of left)
      assert.deepEqual([code, /time limit of the call was reached/.test(reason)], ['DEPENDENCY_UNAVAILABLE', true]);
    const { rows } = await owner.query(
      `select a.id, a.status, count(e.id)::int as told from agents a
         left join audit_events e on e.subject_id = a.id and e.type = 'agent.suspended' where a.id = any ($1) group by 1, 2`,
      [ids],
    );
    const notDone = new Set(left.map(({ agent_id }) => agent_id));
    for (const { id, status, told } of rows) assert.deepEqual([status, told], notDone.has(id) ? ['ACTIVE', 0] : ['SUSPENDED', 1], id);
    let suspended = counts.changed;
    const changed = await repeatUntilDone(async () => {
      const again = (await bulk(tenant, 'suspend', ids)).counts;
      const not_done = ids.length - suspended - again.changed;
      assert.deepEqual(again, { changed: again.changed, unchanged: suspended, refused: 0, not_done });
      suspended += again.changed;
      return { done: again.changed, left: not_done };
    });
    assert.equal(changed, left.length);
  });

  test('a revocation with more pending approvals than fit in its time ends the agent, reports the rest, and a retry ends them', async () => {
    const tenant = await newPlace();
    const [agent_id = ''] = await manyAgents(tenant, 1);
    await insertHeldAction(owner, tenant, {}, { agent_id });
    const copied = async (table: 'actions' | 'approvals', members: Readonly<Record<string, string>>) => {
      const over = Object.entries(members).map(([name, text]) => `'${name}', ${text}`);
      await owner.query(
        `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object(${over.join(', ')}))).* from ${table} t, generate_series(1, 9999) n
          where t.organization_id = $1`,
        [tenant.organization_id],
      );
    };
    const [action, approval] = [`'act_' || lpad(n::text, 26, '0')`, `'apr_' || lpad(n::text, 26, '0')`];
    await copied('actions', { id: action, approval_id: approval });
    await copied('approvals', { id: approval, action_id: action, request_hash: `'\\x' || encode(sha256(n::text::bytea), 'hex')` });
    const release = await slow('approvals', 'update', tenant, 0.003);
    const first = await bulk(tenant, 'revoke', [agent_id]);
    await release();
    const openOnes = async () =>
      (await owner.query("select count(*)::int as n from approvals where agent_id = $1 and status = 'PENDING'", [agent_id])).rows[0].n;
    const [{ outcome, code, reason }] = first.results;
    assert.deepEqual([outcome, code], ['NOT_DONE', 'DEPENDENCY_UNAVAILABLE']);
    assert.match(reason, /is revoked, but its dependent objects have not ended yet/);
    let open = await openOnes();
    assert.ok(open > 0);
    await repeatUntilDone(async () => {
      const again = await bulk(tenant, 'revoke', [agent_id]);
      const [before, left] = [open, await openOnes()];
      assert.equal(again.results[0].outcome, left === 0 ? 'UNCHANGED' : 'NOT_DONE');
      open = left;
      return { done: before - left, left };
    });
    const { rows } = await owner.query(
      "select type, count(*)::int as n from audit_events where organization_id = $1 and type in ('agent.revoked', 'approval.cancelled') group by type order by type",
      [tenant.organization_id],
    );
    assert.deepEqual(rows, [
      { type: 'agent.revoked', n: 1 },
      { type: 'approval.cancelled', n: 10_000 },
    ]);
  });

  test('applying proposed tools: those not reached in time are reported, new and changed ones alike, are missing, and are done by the same call again', async () => {
    const tenant = await newPlace();
    const count = 2 * LIMITS.toolImports.takenTogetherMax + 10;
    const read = async (parameter: string): Promise<string> => {
      const parameters = [{ name: parameter, in: 'query', schema: { type: 'integer' } }];
      const operations = Array.from({ length: count }, (_, n) => [`/p${n}`, { get: { operationId: `op${n}`, parameters } }]);
      const document = JSON.stringify({
        openapi: '3.0.3',
        info: { title: 'Long', version: '1' },
        servers: [{ url: 'https://long.example' }],
        paths: Object.fromEntries(operations),
      });
      const body = { environment_id: tenant.environment_id, source: 'long', document };
      return (await mustCall(planes.controlUrl, 'POST', '/v1/tool-imports', { token: tenant.token, body })).id;
    };
    const apply = async (importId: string, state: string) => {
      const answer = await call(planes.controlUrl, 'POST', `/v1/tool-imports/${importId}/apply`, {
        token: tenant.token,
        body: { states: [state] },
      });
      assert.equal(answer.status, 200, answer.text);
      return answer.json;
    };
    const versions = async () =>
      (
        await owner.query('select declaration_version as version, count(*)::int as n from tools where organization_id = $1 group by 1', [
          tenant.organization_id,
        ])
      ).rows;
    for (const [state, outcome, event, seconds] of [
      ['NEW', 'CREATED', 'insert', 0.35],
      ['CHANGED', 'UPDATED', 'update', 0.5],
    ] as const) {
      const id = await read(`when_${state.toLowerCase()}`);
      const release = await slow('tools', event, tenant, seconds);
      const { results, counts } = await apply(id, state);
      await release();
      const [done, left] = [counts[outcome], withOutcome(results, 'NOT_REACHED').length];
      assert.ok(done > 0 && left > 0 && done + left === count, `${state}: ${JSON.stringify(counts)}`);
      // Changed ones are applied one by one, and only for the time of a request.
      if (state === 'CHANGED') assert.ok(done < LIMITS.toolImports.takenTogetherMax, `${done} were changed`);
      const version = state === 'NEW' ? 1 : 2;
      const rows = await versions();
      assert.equal(rows.find((row) => row.version === version)?.n, done);
      assert.equal(
        rows.reduce((sum, { n }) => sum + n, 0),
        state === 'NEW' ? done : count,
      );
      const taken = await repeatUntilDone(async () => {
        const again = (await apply(id, state)).counts;
        return { done: again[outcome], left: again.NOT_REACHED };
      });
      assert.equal(taken, left);
      assert.deepEqual(await versions(), [{ version, n: count }]);
    }
  });
});
