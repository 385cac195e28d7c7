import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { buildId } from '@svc/contract/tables/ids.ts';
import { newAgent, type TestAgent } from '@svc/testing/agents/agent.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene();

const get = (path: string, token = s.tenant.token): Promise<TestResponse> => call(s.planes.controlUrl, 'GET', path, { token });
const listNames = ({ json }: TestResponse): string[] => json.items.map(({ name }: { name: string }) => name).toSorted();
const listed = async (query: string): Promise<string[]> => listNames(await get(`/v1/agents?${query}`));

let sessions = 0;
const signedIn = async (agent: TestAgent, name: string, version: string, ago = '1 hour'): Promise<void> => {
  sessions += 1;
  await s.owner.query(
    `insert into agent_sessions (organization_id, id, agent_id, nonce_hash, generation, series, sdk, created_at, expires_at)
     values ($1, $2, $3, sha256(convert_to($2, 'UTF8')), 1, 1, $4, now() - $5::interval, now() + interval '1 hour')`,
    [s.tenant.organization_id, buildId('session', newUlid()), agent.id, JSON.stringify({ name, version, runtime: `run ${sessions}` }), ago],
  );
};

describe('the fleet of an organization', () => {
  let payer: TestAgent;
  let clerk: TestAgent;
  before(async () => {
    payer = await newAgent(s.tenant, { name: 'payer', labels: { team: 'payments', tier: 'gold', note: 'a=b' } });
    clerk = await newAgent(s.tenant, { name: 'clerk', labels: { team: 'payments' } });
    await newAgent(s.tenant, { name: 'other', labels: { team: 'support', tier: 'gold' } });
    await signedIn(payer, '@svc/sdk', '0.0.9', '2 hours');
    await signedIn(payer, '@svc/sdk', '0.2.0');
    await signedIn(clerk, '@svc/sdk', '0.0.9');
    await s.owner.query("update agents set expires_at = now() + interval '3 days' where id = $1", [clerk.id]);
  });

  test('is filtered by labels, status, scope, end date and client library, combined, and the link to the next page keeps the filter', async () => {
    assert.deepEqual(await listed('label=team%3Dpayments'), ['clerk', 'payer']);
    assert.deepEqual(await listed('label=team%3Dpayments,tier'), ['payer']);
    assert.deepEqual(await listed('label=note%3Da%3Db'), ['payer']);
    assert.deepEqual(await listed('label=team%3Dpay'), []);
    assert.deepEqual(await listed('sdk_name=%40svc%2Fsdk'), ['clerk', 'payer']);
    assert.deepEqual(await listed('sdk_version=0.0.9'), ['clerk'], 'what it signed in with before does not count');
    const soon = new Date(Date.now() + 5 * 86_400_000).toISOString();
    assert.deepEqual(await listed(`expires_before=${soon}&status=ACTIVE`), ['clerk']);
    assert.deepEqual(await listed(`environment_id=${s.tenant.environment_id}&label=tier&q=o`), ['other']);
    assert.deepEqual(await listed('environment_id=env_00000000000000000000000000'), []);
    const first = await get('/v1/agents?label=team%3Dpayments&limit=1');
    const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await get(next);
    assert.deepEqual([...listNames(first), ...listNames(second)].toSorted(), ['clerk', 'payer']);
    assert.deepEqual([first.json.total, second.json.total, second.headers.get('link')], [2, 2, null]);
  });

  test('refuses an unreadable filter with its pointer', async () => {
    for (const [query, pointer] of [
      ['label=Team', '/label'],
      ['label=a,b,c,d,e,f,g,h,i', '/label'],
      [`label=${'x'.repeat(1_001)}`, '/label'],
      ['expires_before=tomorrow', '/expires_before'],
      ['sdk_version=', '/sdk_version'],
    ] as const) {
      const answer = await get(`/v1/agents?${query}`);
      assert.deepEqual([answer.status, answer.json.error?.details?.faults[0].pointer], [400, pointer], query.slice(0, 30));
    }
  });

  test('listClientLibraries counts agents by library and reported version, with outdated ones, and none of other organizations', async () => {
    const markup = await newAgent(s.tenant, { name: 'markup' });
    await signedIn(markup, '<b>&', '9\n');
    const foreign = await newTenant(s.planes);
    await newAgent(foreign);
    const { json } = await get('/v1/agents/client-libraries');
    const told = json.libraries.map(({ last_seen_at: _, ...library }: { last_seen_at: string }) => library);
    assert.deepEqual(
      told.toSorted((a: { name: string; version: string }, b: typeof a) => (a.name + a.version < b.name + b.version ? -1 : 1)),
      [
        { name: '<b>&', version: '9\n', agents: 1, reference: '9\n', drift: 'CURRENT' },
        { name: '@svc/sdk', version: '0.0.9', agents: 1, reference: '0.2.0', drift: 'OLDER' },
        { name: '@svc/sdk', version: '0.2.0', agents: 1, reference: '0.2.0', drift: 'CURRENT' },
      ],
    );
    assert.deepEqual([json.agents, json.unseen, json.outdated, json.counted_all], [4, 1, 1, true]);
    const none = await get('/v1/agents/client-libraries', foreign.token);
    assert.deepEqual([none.json.libraries, none.json.agents, none.json.unseen], [[], 1, 1]);
  });
});

test('getAgentEnforcement does not state that an agent without a runtime is enforced', async () => {
  const agent = await newAgent(s.tenant);
  const { json } = await get(`/v1/agents/${agent.id}/enforcement`);
  assert.deepEqual([json.agent_id, json.status, json.runtimes, json.mode], [agent.id, 'UNKNOWN', [], 'ENFORCE']);
  assert.match(json.detail, /^The agent has no runtime, so actions that bypass the service are unknown\./);
});
