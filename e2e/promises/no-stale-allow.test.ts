import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Delegating, newDelegating } from '@svc/testing/agents/delegating.ts';
import { activateRules, type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import type { TestResponse } from '@svc/testing/people/client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
before(async () => {
  planes = await startPlanes({ gateways: 2, env: { SVC_GATEWAY_URL: 'http://gateway.test' } });
});
after(() => planes.stop());

type Seen = { readonly startedAt: number; readonly endedAt: number; readonly answer: TestResponse };
type Run = { readonly seen: readonly Seen[]; readonly beganAt: number; readonly answeredAt: number };

const CONNECTIONS = 16;
const REQUESTS_MIN = 40;
const PATIENCE_MS = 30_000;

const until = async (isEnough: () => boolean): Promise<void> => {
  const deadline = performance.now() + PATIENCE_MS;
  while (!isEnough() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
};

/** Sends requests without pause on both gateways during `change`: enough before it begins, and enough after its response. */
const underLoad = async (governed: Governed, change: () => Promise<TestResponse | unknown>): Promise<Run> => {
  const seen: Seen[] = [];
  let running = true;
  const worker = async (n: number): Promise<void> => {
    while (running) {
      const startedAt = performance.now();
      const answer = await governed.act({ parameters: { n } }, { gateway: n % 2 });
      seen.push({ startedAt, endedAt: performance.now(), answer });
    }
  };
  const workers = Array.from({ length: CONNECTIONS }, (_, n) => worker(n));
  await until(() => seen.length >= REQUESTS_MIN);
  const beganAt = performance.now();
  await change();
  const answeredAt = performance.now();
  await until(() => seen.filter((one) => one.startedAt > answeredAt).length >= REQUESTS_MIN);
  running = false;
  await Promise.all(workers);
  return { seen, beganAt, answeredAt };
};

const assertObeyed = ({ seen, beganAt, answeredAt }: Run, code: string): void => {
  const earlier = seen.filter((one) => one.endedAt < beganAt);
  const later = seen.filter((one) => one.startedAt > answeredAt);
  assert.ok(earlier.length >= REQUESTS_MIN && later.length >= REQUESTS_MIN, `${earlier.length} before, ${later.length} after`);
  assert.ok(
    earlier.every((one) => one.answer.status === 200),
    earlier.find((one) => one.answer.status !== 200)?.answer.text,
  );
  const wrong = later.filter((one) => one.answer.json?.error?.code !== code);
  assert.equal(wrong.length, 0, `${wrong.length} of ${later.length} after the answer: ${wrong[0]?.answer.text.slice(0, 300)}`);
};

const ok = (answer: TestResponse): TestResponse => {
  assert.ok(answer.status < 300, answer.text);
  return answer;
};

describe('no request that begins after the response is allowed, on any gateway, with notifications cut', () => {
  test('revoking the agent', async () => {
    const governed = await newGoverned(planes);
    const run = await underLoad(governed, async () =>
      ok(await governed.owner('POST', `/v1/agents/${governed.agent.id}/revoke`, { reason: 'test' })),
    );
    assertObeyed(run, 'AGENT_IDENTITY_REVOKED');
  });

  test('pausing and suspending the agent', async () => {
    const governed = await newGoverned(planes);
    const paused = await underLoad(governed, async () => ok(await governed.owner('POST', `/v1/agents/${governed.agent.id}/pause`, {})));
    assertObeyed(paused, 'AGENT_NOT_OPERATIONAL');
    ok(await governed.owner('POST', `/v1/agents/${governed.agent.id}/resume`, {}));
    const suspended = await underLoad(governed, async () =>
      ok(await governed.owner('POST', `/v1/agents/${governed.agent.id}/suspend`, { reason: 'test' })),
    );
    assertObeyed(suspended, 'AGENT_NOT_OPERATIONAL');
  });

  test('stopping the agent in bulk', async () => {
    const governed = await newGoverned(planes);
    const agent_ids = [governed.agent.id, 'agt_00000000000000000000000000'];
    const run = await underLoad(governed, async () =>
      ok(await governed.owner('POST', '/v1/agents/bulk', { agent_ids, operation: 'suspend', reason: 'test' })),
    );
    assertObeyed(run, 'AGENT_NOT_OPERATIONAL');
  });

  test('pausing the environment', async () => {
    const governed = await newGoverned(planes);
    const path = `/v1/environments/${governed.tenant.environment_id}/pause`;
    const run = await underLoad(governed, async () => ok(await governed.owner('POST', path, { reason: 'test' })));
    assertObeyed(run, 'ENVIRONMENT_PAUSED');
  });

  test('withdrawing the capability', async () => {
    const governed = await newGoverned(planes);
    const run = await underLoad(governed, async () =>
      ok(await governed.owner('DELETE', `/v1/agents/${governed.agent.id}/capabilities/pay`)),
    );
    assertObeyed(run, 'CAPABILITY_NOT_GRANTED');
  });

  test('withdrawing the agent from the tool, and disabling the tool', async () => {
    const governed = await newGoverned(planes);
    const path = `/v1/tools/${governed.tool.id}`;
    const withdrawn = await underLoad(governed, async () => ok(await governed.owner('DELETE', `${path}/agents/${governed.agent.id}`)));
    assertObeyed(withdrawn, 'TOOL_NOT_AUTHORIZED');
    ok(await governed.owner('POST', `${path}/agents`, { agent_id: governed.agent.id }));
    const disabled = await underLoad(governed, async () => ok(await governed.owner('POST', `${path}/disable`, { reason: 'test' })));
    assertObeyed(disabled, 'TOOL_DISABLED');
  });

  test('activating a policy that blocks', async () => {
    const governed = await newGoverned(planes);
    const rules = [{ id: 'stop', effect: 'BLOCK', reason: 'No more.' }];
    const run = await underLoad(governed, () => activateRules(governed.tenant, 'stop', rules));
    assertObeyed(run, 'ACTION_BLOCKED');
  });

  test('rotating the key', async () => {
    const governed = await newGoverned(planes);
    const path = `/v1/agents/${governed.agent.id}/rotate-credentials`;
    const run = await underLoad(governed, async () => ok(await governed.owner('POST', path, {})));
    assertObeyed(run, 'IDENTITY_GENERATION_STALE');
  });

  test('a dry run, which writes nothing, is equally current', async () => {
    const governed = await newGoverned(planes);
    assert.equal((await governed.act({ dry_run: true })).json.decision, 'ALLOW');
    for (let n = 0; n < 10; n += 1) {
      ok(await governed.owner('POST', `/v1/agents/${governed.agent.id}/pause`, {}));
      assert.equal((await governed.act({ dry_run: true }, { gateway: n % 2 })).json.error?.code, 'AGENT_NOT_OPERATIONAL');
      ok(await governed.owner('POST', `/v1/agents/${governed.agent.id}/resume`, {}));
      assert.equal((await governed.act({ dry_run: true }, { gateway: n % 2 })).json.decision, 'ALLOW');
    }
  });
});

describe('and neither is one at the end of a chain, after any change above it', () => {
  type Scene = { readonly scene: Delegating; readonly last: Governed; readonly root: string; readonly middle: string };

  /** Creates a chain: a person delegates to the first agent, it to the second, and that one to the third, which acts. */
  const chained = async (): Promise<Scene> => {
    const scene = await newDelegating(planes, 3);
    const root = await scene.root(0, { ceiling: { max_amount: 1_000, currency: 'USD' } });
    const middle = await scene.child(0, 1, root, { can_redelegate: true, max_depth: 1 });
    const delegation_id = await scene.child(1, 2, middle);
    const act: Governed['act'] = (body, options) =>
      scene.actAs(2, { ...body, delegation_id, amount: 1_000, currency: 'USD' }, options?.gateway);
    return { scene, last: { ...scene, act }, root, middle };
  };

  const changes: readonly [string, string, (scene: Scene) => Promise<TestResponse>][] = [
    [
      'narrowing the root',
      'AUTHORITY_EXCEEDED',
      ({ scene, root }) => scene.owner('PATCH', `/v1/delegations/${root}`, { ceiling: { max_amount: 999 } }),
    ],
    [
      'narrowing in the middle',
      'AUTHORITY_EXCEEDED',
      ({ scene, middle }) => scene.owner('PATCH', `/v1/delegations/${middle}`, { scope: { capabilities: ['read'] } }),
    ],
    [
      'forbidding that it be passed on',
      'DELEGATION_INVALID',
      ({ scene, root }) => scene.owner('PATCH', `/v1/delegations/${root}`, { can_redelegate: false, max_depth: 0 }),
    ],
    [
      'revoking the root',
      'DELEGATION_INVALID',
      ({ scene, root }) => scene.owner('POST', `/v1/delegations/${root}/revoke`, { reason: 'test' }),
    ],
    [
      'withdrawing a capability from the agent it came from',
      'AUTHORITY_EXCEEDED',
      ({ scene }) => scene.owner('DELETE', `/v1/agents/${scene.agents[0]?.id}/capabilities/pay`),
    ],
    [
      'suspending the agent it came from',
      'DELEGATION_INVALID',
      ({ scene }) => scene.owner('POST', `/v1/agents/${scene.agents[1]?.id}/suspend`, { reason: 'test' }),
    ],
    [
      'revoking the agent it came from',
      'DELEGATION_INVALID',
      ({ scene }) => scene.owner('POST', `/v1/agents/${scene.agents[0]?.id}/revoke`, { reason: 'test' }),
    ],
  ];

  for (const [name, code, change] of changes) {
    test(name, async () => {
      const scene = await chained();
      assertObeyed(await underLoad(scene.last, async () => ok(await change(scene))), code);
    });
  }
});
