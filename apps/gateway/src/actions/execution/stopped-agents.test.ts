import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { mintToken } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

const ANSWER = 'what-the-downstream-said';
/** Larger than a member of a decision may be. */
const LARGE = 2_000_000;

let planes: Planes;
let database: pg.Client;
let onCall: () => Promise<unknown> = async () => undefined;
let padding = '';
let calls = 0;

const server = createServer((request, response) => {
  request.resume();
  calls += 1;
  void onCall().then(() =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ answer: ANSWER, padding })),
  );
});

before(async () => {
  planes = await leasePlanes({ env: { GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8' } });
  database = await planes.database.client();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await database.end();
  await planes.stop();
});

const newCalling = async (): Promise<Governed> => {
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  calls = 0;
  return newGoverned(planes, {
    tool: { kind: 'HTTP', destination_allowlist: [at], execution: { method: 'POST', url: `http://${at}/` } },
  });
};

const readRow = async ({ agent }: Governed) => {
  const { rows } = await database.query('select id, status, execution::text as execution from actions where agent_id = $1 order by id', [
    agent.id,
  ]);
  return rows[0];
};
const readOwn = ({ token }: Governed, id: string, as = token): Promise<TestResponse> =>
  call(planes.gatewayUrl, 'GET', `/gateway/v1/actions/${id}`, { token: as });

/** Stops of an agent during its call, and their codes. */
const STOPS: Readonly<Record<string, { readonly code: string; readonly large?: true; readonly stop: (of: Governed) => Promise<unknown> }>> =
  {
    paused: { code: 'AGENT_NOT_OPERATIONAL', stop: ({ owner, agent }) => owner('POST', `/v1/agents/${agent.id}/pause`, {}) },
    suspended: {
      code: 'AGENT_NOT_OPERATIONAL',
      large: true,
      stop: ({ owner, agent }) => owner('POST', `/v1/agents/${agent.id}/suspend`, { reason: 'odd' }),
    },
    isolated: { code: 'AGENT_ISOLATED', stop: ({ owner, agent }) => owner('POST', `/v1/agents/${agent.id}/isolate`, { reason: 'odd' }) },
    revoked: {
      code: 'AGENT_IDENTITY_REVOKED',
      stop: ({ owner, agent }) => owner('POST', `/v1/agents/${agent.id}/revoke`, { reason: 'odd' }),
    },
    'suspended by many at once': {
      code: 'AGENT_NOT_OPERATIONAL',
      stop: ({ owner, agent }) => owner('POST', '/v1/agents/bulk', { agent_ids: [agent.id], operation: 'suspend', reason: 'odd' }),
    },
    'signed out': {
      code: 'AGENT_TOKEN_EXPIRED',
      stop: ({ token }) => call(planes.gatewayUrl, 'POST', '/gateway/v1/logout', { token, body: {} }),
    },
    'in an environment that is paused': {
      code: 'ENVIRONMENT_PAUSED',
      stop: ({ owner, tenant }) => owner('POST', `/v1/environments/${tenant.environment_id}/pause`, { reason: 'odd' }),
    },
    'past its end date, which is not recorded yet': {
      code: 'AGENT_NOT_OPERATIONAL',
      stop: async ({ owner, agent }) => {
        const { json } = await owner('GET', `/v1/agents/${agent.id}`);
        await new Promise((resolve) => setTimeout(resolve, Date.parse(json.expires_at) + 50 - Date.now()));
      },
    },
  };

for (const [what, { code, large, stop }] of Object.entries(STOPS)) {
  test(`no agent that is ${what} during a call gets its response, directly or by a retry`, async () => {
    const governed = await newCalling();
    const { owner, agent } = governed;
    if (what.startsWith('at its end'))
      await owner('PATCH', `/v1/agents/${agent.id}`, { expires_at: new Date(Date.now() + 1_500).toISOString() });
    padding = large ? 'x'.repeat(LARGE) : '';
    let waiting: Promise<TestResponse> | undefined;
    onCall = async () => {
      // The same request again, which waits for the first.
      waiting ??= governed.act({}, { key: 'once' });
      await new Promise((resolve) => setTimeout(resolve, 300));
      await stop(governed);
    };
    const first = await governed.act({}, { key: 'once' });
    const others = { waited: await waiting, repeated: await governed.act({}, { key: 'once' }), new: await governed.act({}) };
    const { execution, status, id } = await readRow(governed);
    assert.deepEqual([status, JSON.parse(execution).state, calls], ['COMPLETED', 'EXECUTED', 1], 'what was done is on record');
    if (!large) assert.ok(execution.includes(ANSWER));
    for (const [which, answer] of Object.entries({ first, ...others })) {
      assert.deepEqual([answer?.json.error?.code, answer?.text.includes(ANSWER)], [code, false], which);
      assert.equal(answer?.status, others.new.status, which);
    }
    const { decision } = first.json.error.details;
    assert.deepEqual(
      [decision.action_id, decision.status, decision.execution.state, decision.execution.result],
      [id, 'COMPLETED', 'EXECUTED', undefined],
    );
    assert.ok(!(await readOwn(governed, id)).text.includes(ANSWER), 'nor by reading the action');
  });
}

test('a change during a call that stops no agent withholds its response from none', async () => {
  const governed = await newCalling();
  padding = '';
  onCall = () => governed.owner('PATCH', `/v1/agents/${governed.agent.id}`, { labels: { team: 'other' } });
  const answer = await governed.act({}, { key: 'once' });
  assert.deepEqual([answer.status, answer.json.execution?.result?.answer], [200, ANSWER], answer.text);
  assert.equal((await governed.act({}, { key: 'once' })).json.execution.result.answer, ANSWER);
});

test('an agent that is resumed reads the responses from while it was stopped, by its key or by the action', async () => {
  const governed = await newCalling();
  const { owner, agent } = governed;
  padding = '';
  onCall = () => owner('POST', `/v1/agents/${agent.id}/suspend`, { reason: 'odd' });
  await governed.act({}, { key: 'once' });
  await newControlClient(planes.controlUrl, governed.tenant.token).resumeAgent({ params: { agentId: agent.id }, body: { reason: 'ok' } });
  const token = await mintToken(planes.gatewayUrl, agent);
  const { id } = await readRow(governed);
  await waitUntil('the gateway knows', async () => (await readOwn(governed, id, token)).status === 200);
  assert.equal((await readOwn(governed, id, token)).json.execution.result.answer, ANSWER);
  assert.equal((await governed.act({}, { key: 'once', token })).json.execution.result.answer, ANSWER);
  assert.equal(calls, 1);
});
