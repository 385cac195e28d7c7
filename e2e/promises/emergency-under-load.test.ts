import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { LETS_OUT } from '@svc/testing/events/start-worker.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { call } from '@svc/testing/people/client.ts';
import { stepUpAndEnrol } from '@svc/testing/people/second-factors.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

const reason = 'An incident';
const GATEWAYS = [0, 1];
const CONNECTIONS = 8;
const AFTER_EACH = 6;

let planes: Planes;
const arrived = new Set<string>();
const receiver = createServer(({ url = '' }, response) => {
  arrived.add(url.slice(1));
  response.setHeader('content-type', 'application/json').end('{}');
});
const getPort = (): number => (receiver.address() as AddressInfo).port;

before(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  planes = await startPlanes({ gateways: 2, env: { ...LETS_OUT, SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8,::1/128' } });
});
after(async () => {
  await planes.stop();
  receiver.close();
});

const newCalling = () =>
  newGoverned(planes, {
    tool: {
      ...{ kind: 'HTTP', destination_allowlist: [`localhost:${getPort()}`] },
      execution: { method: 'POST', url: `http://localhost:${getPort()}/{n}` },
      parameters_schema: { type: 'object', properties: { n: { type: 'string' } }, required: ['n'] },
    },
  });

let sent = 0;

/** Acts on both gateways until each connection sent some requests after `stopped`. Returns those that were allowed, and that arrived. */
const startLoad = async (governed: Governed) => {
  const tokens = await Promise.all(planes.gatewayUrls.map((url) => mintToken(url, governed.agent)));
  let hasAnswered = false;
  let allowedBefore = 0;
  const late: { readonly n: string; readonly status: number; readonly code: string | undefined }[] = [];
  const work = async (_: unknown, index: number): Promise<void> => {
    const gateway = index % GATEWAYS.length;
    for (let after = 0; after < AFTER_EACH; ) {
      sent += 1;
      const n = `request-${sent}`;
      const isLate = hasAnswered;
      const { status, json } = await governed.act({ parameters: { n } }, { gateway, token: tokens[gateway] ?? '' });
      if (isLate) {
        after += 1;
        late.push({ n, status, code: json?.error?.code });
      } else if (status === 200) allowedBefore += 1;
    }
  };
  const all = Promise.all(Array.from({ length: CONNECTIONS }, work));
  await waitUntil('requests are allowed', () => allowedBefore >= CONNECTIONS);
  return {
    stop: async () => {
      hasAnswered = true;
      await all;
      return {
        late: late.length,
        allowed: late.filter(({ status }) => status === 200),
        called: late.filter(({ n }) => arrived.has(n)),
        codes: [...new Set(late.map(({ code }) => code))],
      };
    },
  };
};

const CONTROLS = {
  'isolate-agent': { target: ({ agent }: Governed) => agent.id, code: 'AGENT_ISOLATED' },
  'pause-environment': { target: ({ tenant }: Governed) => tenant.environment_id, code: 'ENVIRONMENT_PAUSED' },
  'disable-tool': { target: ({ tool }: Governed) => tool.id, code: 'TOOL_DISABLED' },
  'block-destination': { target: () => 'localhost', code: 'DESTINATION_BLOCKED' },
  'revoke-sessions': { target: ({ agent }: Governed) => agent.id, code: undefined },
} as const;

for (const [control, { target, code }] of Object.entries(CONTROLS))
  test(`${control} binds every request that begins after its answer, on two gateways under load`, async () => {
    for (let round = 0; round < countRepetitions({ short: 1, long: 10 }); round += 1) {
      const governed = await newCalling();
      const body = { target: target(governed), reason };
      const preview = await governed.owner('POST', `/v1/emergency/${control}/preview`, { target: body.target });
      const load = await startLoad(governed);
      const drill = await governed.owner('POST', `/v1/emergency/${control}`, {
        ...{ ...body, confirm_blast_radius: preview.json.blast_radius.number, drill: true },
      });
      assert.equal(drill.json.outcome, 'UNCHANGED', drill.text);
      const done = await governed.owner('POST', `/v1/emergency/${control}`, {
        ...body,
        confirm_blast_radius: preview.json.blast_radius.number,
      });
      const { late, allowed, called, codes } = await load.stop();
      assert.equal(done.json.outcome, 'CHANGED', done.text);
      assert.ok(late >= CONNECTIONS * AFTER_EACH);
      assert.deepEqual({ allowed, called }, { allowed: [], called: [] });
      if (code !== undefined) assert.deepEqual(codes, [code]);
      const events = await governed.owner('GET', '/v1/audit-events?type=security.emergency_action_executed');
      assert.equal(events.json.data.length, 1, 'a drill writes no security event');
    }
  });

test('a break-glass grant that ended permits nothing that begins after the answer, under load', async () => {
  const { tenant } = await newGoverned(planes);
  const database = await planes.database.client();
  const person = await signUp(planes.controlUrl);
  await stepUpAndEnrol(planes.controlUrl, person);
  const { organization_id } = tenant;
  await database.query('update members set organization_id = $1, role_id = $2 where user_id = $3', [
    ...[organization_id, getBuiltInRole('viewer').id, person.user.id],
  ]);
  await database.query("update sessions set organization_id = $1, amr = array['PASSWORD', 'TOTP'] where user_id = $2", [
    ...[organization_id, person.user.id],
  ]);
  await database.end();
  const as = (token: string, path: string, body: object) => call(planes.controlUrl, 'POST', path, { token, body: { reason, ...body } });
  const { json: grant } = await as(person.token, '/v1/emergency/break-glass', { minutes: 15 });
  assert.equal((await as(tenant.token, `/v1/emergency/break-glass/${grant.id}/approve`, {})).json.status, 'ACTIVE');
  const agents = await Promise.all(Array.from({ length: CONNECTIONS }, () => newAgent(tenant)));
  let hasEnded = false;
  let permitted = 0;
  const late: number[] = [];
  const load = Promise.all(
    agents.map(async ({ id }) => {
      for (let after = 0; after < AFTER_EACH; ) {
        const isLate = hasEnded;
        const { status } = await as(person.token, `/v1/agents/${id}/suspend`, {});
        if (isLate) {
          after += 1;
          late.push(status);
        } else if (status !== 403) permitted += 1;
      }
    }),
  );
  await waitUntil('the grant is used', () => permitted >= CONNECTIONS);
  const ended = await as(person.token, `/v1/emergency/break-glass/${grant.id}/end`, {});
  hasEnded = true;
  await load;
  assert.equal(ended.json.status, 'ENDED', ended.text);
  assert.deepEqual(new Set(late), new Set([403]));
});

test('a number is accepted from what is stopped now to a tenth or two more, and is required', async () => {
  const governed = await newGoverned(planes);
  for (let count = 0; count < 3; count += 1) await newAgent(governed.tenant);
  const target = governed.tenant.environment_id;
  const confirm = async (more: object): Promise<string> => {
    const answer = await governed.owner('POST', '/v1/emergency/pause-environment', { target, reason, drill: true, ...more });
    if (answer.json.error?.code === 'CONFLICT') assert.equal(answer.json.error.details.now, 4, answer.text);
    return answer.json.error?.code ?? answer.json.outcome;
  };
  assert.equal(await confirm({}), 'VALIDATION_FAILED');
  for (const number of [3, 7, 999_999]) assert.equal(await confirm({ confirm_blast_radius: number }), 'CONFLICT', `${number}`);
  for (const number of [4, 5, 6]) assert.equal(await confirm({ confirm_blast_radius: number }), 'UNCHANGED', `${number}`);
});

test('an agent that registers while its environment is paused is counted, or refused the pause: no race stops more than the confirmed number', async () => {
  const governed = await newGoverned(planes);
  const { tenant, owner } = governed;
  const outcomes = new Map<string, number>();
  for (let round = 0; round < countRepetitions({ short: 10, long: 200 }); round += 1) {
    const { id: environment_id } = await newControlClient(tenant.controlUrl, tenant.token).createEnvironment({
      body: { workspace_id: tenant.workspace_id, name: `Round ${round}`, type: 'STAGING' },
    });
    const [answer] = await Promise.all([
      owner('POST', '/v1/emergency/pause-environment', { target: environment_id, reason, confirm_blast_radius: 2 }),
      ...Array.from({ length: 4 }, () => newAgent({ ...tenant, environment_id })),
    ]);
    const { data } = (await owner('GET', `/v1/audit-events?type=security.emergency_action_executed&subject_id=${environment_id}`)).json;
    if (answer.status === 409) {
      assert.ok(answer.json.error.details.now > 2 || answer.json.error.details.now === 0, answer.text);
      assert.equal(data.length, 0);
      outcomes.set('refused', (outcomes.get('refused') ?? 0) + 1);
      continue;
    }
    assert.equal(answer.status, 200, answer.text);
    assert.ok(answer.json.blast_radius.number <= 2, answer.text);
    assert.deepEqual([data.length, data[0].data.confirmed, data[0].data.actual], [1, 2, answer.json.blast_radius.number]);
    outcomes.set('paused', (outcomes.get('paused') ?? 0) + 1);
  }
  assert.ok((outcomes.get('paused') ?? 0) > 0);
});
