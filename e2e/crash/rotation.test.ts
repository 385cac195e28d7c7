import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { mintToken, newAgent, type TestAgent } from '@svc/testing/agents/agent.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { type KeyedService, startKeyedService } from '@svc/testing/peers/keyed-service.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { type RestartableGateway, startRestartableGateway } from '@svc/testing/planes/restartable-gateway.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

/** Number of kills: each moment once in the short run; `ROTATION_KILLS=30` sets another. */
const KILLS = Number(process.env.ROTATION_KILLS ?? countRepetitions({ short: 3, long: 100 }));
const env = { GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8', SVC_CREDENTIALS_OVER_HTTP: 'true' };
const OVERLAP_SECONDS = 600;

let database: FreshDatabase;
let planes: StartedPlanes;
let gateway: RestartableGateway;
let service: KeyedService;
let owner: pg.Client;
let tenant: Tenant;
let agent: TestAgent;
let credentialId: string;

const send = (method: string, path: string, body?: object): Promise<TestResponse> =>
  call(planes.controlUrl, method, `/v1/credentials/${credentialId}${path}`, {
    token: tenant.token,
    ...(body === undefined ? {} : { body }),
  });

const getSecret = (generation: number): string => `secret-of-generation-${generation}-`.padEnd(40, 'x');

before(async () => {
  [database, service] = await Promise.all([createFreshDatabase(), startKeyedService()]);
  [planes, gateway] = await Promise.all([startPlanes({ database, gateways: 0, env }), startRestartableGateway(database, env)]);
  owner = await database.client();
  tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  agent = await newAgent(tenant, { capabilities: ['pay'] });
  await activateRules(tenant, 'base', [{ id: 'allow', effect: 'ALLOW', reason: 'Allowed here.' }]);
  const { token, environment_id } = tenant;
  const post = (path: string, body: object) => mustCall(planes.controlUrl, 'POST', path, { token, body });
  const bound = { destinations: [service.host], tools: ['pay'] };
  ({ id: credentialId } = await post('/v1/credentials', {
    name: 'shop',
    environment_id,
    scheme: 'BEARER',
    secret: getSecret(1),
    ...bound,
  }));
  const { id } = await post('/v1/tools', {
    ...{ name: 'pay', environment_id, required_capability: 'pay', kind: 'HTTP', destination_allowlist: [service.host] },
    execution: { method: 'POST', url: `http://${service.host}/`, credential_id: credentialId },
  });
  await post(`/v1/tools/${id}/agents`, { agent_id: agent.id });
});
after(async () => {
  await owner?.end();
  await Promise.all([gateway?.stop(), planes?.stop(), service?.close()]);
  await database?.drop();
});

/** Calls the tool of a service that accepts only one secret. Returns the result, and the secrets that it received in order. */
const shipTo = async (secret: string): Promise<readonly [status: string, ...shown: (string | undefined)[]]> => {
  service.answer(({ headers }, response) => response.writeHead(headers.authorization === `Bearer ${secret}` ? 200 : 401).end('told'));
  const token = await mintToken(gateway.url, agent);
  const { json } = await call(gateway.url, 'POST', '/gateway/v1/actions', { token, body: { tool: 'pay' } });
  return [json.status ?? json.error?.code, ...service.taken.map(({ headers }) => headers.authorization?.replace('Bearer ', ''))];
};

type Kept = { readonly generation: number; readonly overlaps: boolean; readonly events: readonly number[] };

/** Returns the stored state of the credential, and the generations in events. */
const kept = async (): Promise<Kept> => {
  const { rows } = await owner.query(
    `select generation, sealed_secret is not null as has_secret, sealed_previous_secret is not null as has_previous, previous_ends_at,
            (select coalesce(array_agg((e.data -> 'after' ->> 'generation')::int order by e.id), '{}') from audit_events e
              where e.type = 'credential.rotated' and e.subject_id = c.id) as events
       from credentials c where id = $1 and status = 'ACTIVE'`,
    [credentialId],
  );
  const [{ generation, has_secret, has_previous, previous_ends_at, events }] = rows;
  assert.deepEqual([rows.length, has_secret, has_previous], [1, true, previous_ends_at !== null]);
  return { generation, overlaps: has_previous, events };
};

/** Asserts that exactly one secret works, the previous one only during the overlap, and that each generation has one event. */
const assertWhole = async ({ generation, overlaps, events }: Kept): Promise<void> => {
  assert.deepEqual(
    events,
    Array.from({ length: generation - 1 }, (_, at) => at + 2),
  );
  const [present, previous, next] = [getSecret(generation), getSecret(generation - 1), getSecret(generation + 1)];
  const both = overlaps ? [present, previous] : [present];
  assert.deepEqual(await shipTo(present), ['COMPLETED', present]);
  assert.deepEqual(await shipTo(previous), [overlaps ? 'COMPLETED' : 'EXECUTION_FAILED', ...both]);
  assert.deepEqual(await shipTo(next), ['EXECUTION_FAILED', ...both], 'one that was never stored');
};

const transactionsAreOver = (): Promise<void> =>
  waitUntil('the transactions of the plane are over', async () => {
    const { rows } = await owner.query(
      `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
         and usename like '%app'`,
    );
    return rows.length === 0;
  });

type Moment = (was: number, takesMs: number) => Promise<unknown>;
const kill = () => planes.control.kill('SIGKILL');

/** Moments of the kill; each prepares the rotation and continues during it. */
const MOMENTS: Readonly<Record<string, Moment>> = {
  // Everything but the events is written, and the transaction waits: nothing of it may remain.
  'before its end': async () => {
    const [holder, looks] = [await database.client(), await database.client()];
    await holder.query('begin; lock table audit_events in share mode');
    const waits = "select from pg_locks where not granted and relation = 'audit_events'::regclass and mode = 'RowExclusiveLock'";
    void waitUntil('the rotation waits', async () => (await looks.query(waits)).rows.length > 0)
      .finally(kill)
      .then(() => Promise.all([holder.end(), looks.end()]));
  },
  // The change is stored, and its response is at most in transit.
  'as soon as it is stored': async (was) => {
    const looks = await database.client();
    const isStored = async (): Promise<boolean> => {
      const { rows } = await looks.query('select generation > $2 as is from credentials where id = $1', [credentialId, was]);
      return rows[0].is;
    };
    void (async () => {
      while (!(await isStored()));
      kill();
      await looks.end();
    })();
  },
  'at any time': async (_was, takesMs) => {
    void sleep(Math.random() * 1.5 * takesMs).then(kill);
  },
};
const ORDER = ['before its end', 'at any time', 'as soon as it is stored', 'at any time'] as const;

const rotate = (next: number, overlap: number): Promise<TestResponse> =>
  send('POST', '/rotate', { secret: getSecret(next), overlap_seconds: overlap });

test(`a rotation that is killed with its instance, ${KILLS} times, leaves one whole secret, the old or the new, matching the response`, async (t) => {
  const began = performance.now();
  assert.equal((await rotate(2, 0)).status, 200);
  const from = performance.now();
  assert.equal((await rotate(3, OVERLAP_SECONDS)).status, 200);
  const takesMs = performance.now() - from;
  const counts = { answered: 0, 'stored and not answered': 0, 'not stored': 0 };
  for (let round = 0; round < KILLS; round += 1) {
    const { generation: was } = await kept();
    const overlap = round % 2 === 0 ? OVERLAP_SECONDS : 0;
    const moment = ORDER[round % ORDER.length] ?? 'at any time';
    await MOMENTS[moment]?.(was, takesMs);
    const answer = await rotate(was + 1, overlap).catch(() => undefined);
    await waitUntil('the plane is gone', () => planes.control.signalCode === 'SIGKILL');
    await transactionsAreOver();
    const now = await kept();
    const isStored = now.generation === was + 1;
    counts[answer ? 'answered' : isStored ? 'stored and not answered' : 'not stored'] += 1;
    const told = `round ${round}, killed ${moment}, answered ${answer?.text}`;
    assert.equal(now.generation, isStored ? was + 1 : was, told);
    if (moment !== 'at any time') assert.equal(isStored, moment === 'as soon as it is stored', told);
    if (answer) assert.deepEqual([answer.status, answer.json.generation, isStored], [200, was + 1, true], told);
    await assertWhole(now);
    const dead = planes;
    planes = await startPlanes({ database, gateways: 0, env });
    await dead.stop();
    await stepUp(planes.controlUrl, tenant);
    assert.equal((await send('GET', '')).json.generation, now.generation);
    // A client without a response reads the generation to decide whether to retry.
    if (!isStored) {
      const again = await rotate(was + 1, overlap);
      assert.deepEqual([again.status, again.json.generation], [200, was + 1], again.text);
    }
    const after = await kept();
    assert.deepEqual([after.generation, after.overlaps], [was + 1, overlap > 0]);
    await assertWhole(after);
  }
  t.diagnostic(
    `${KILLS} kills in ${Math.round((performance.now() - began) / 1_000)} s, a rotation takes ${takesMs.toFixed(1)} ms: ${JSON.stringify(counts)}`,
  );
});
