import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';

let planes: Planes;
let governed: Governed;
before(async () => {
  planes = await startPlanes({ env: { GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_TIMEOUT_MS: '2000' } });
  governed = await newGoverned(planes, { tool: { destination_allowlist: ['api.example.com'] } });
});
after(() => planes.stop());

const getCode = ({ status, json }: TestResponse): string => json?.error?.code ?? String(status);

type Event = { readonly type: string; readonly severity: string; readonly subject: object; readonly data: Record<string, unknown> };
const readEvents = async (answer: TestResponse): Promise<Event[]> =>
  (await governed.owner('GET', `/v1/audit-events?request_id=${answer.headers.get('x-request-id')}`)).json.data.toReversed();

const newTool = async (name: string, url: string): Promise<void> => {
  const { token, environment_id, controlUrl } = governed.tenant;
  const { hostname, port, protocol } = new URL(url);
  const destination_allowlist = [`${hostname}:${port || (protocol === 'http:' ? 80 : 443)}`];
  const execution = { method: 'POST', url };
  const body = { name, environment_id, required_capability: 'pay', kind: 'HTTP', destination_allowlist, execution };
  const { id } = await mustCall(controlUrl, 'POST', '/v1/tools', { token, body });
  await newControlClient(controlUrl, token).authorizeAgentForTool({ params: { toolId: id }, body: { agent_id: governed.agent.id } });
};

test('a destination outside the allowlist is reported as blocked, next to the decision, by an agent and by evaluate', async () => {
  const body = { destination: 'evil.example.com' };
  const evaluated = { agent_id: governed.agent.id, tool: governed.tool.name, ...body };
  for (const answer of [await governed.act(body), await governed.owner('POST', '/v1/actions/evaluate', evaluated)]) {
    const actionId = (answer.json.error?.details.decision ?? answer.json).action_id;
    const events = await readEvents(answer);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['action.requested', 'action.blocked', 'security.destination_blocked'],
    );
    const blocked = events[2] as Event;
    assert.deepEqual([blocked.severity, blocked.subject], ['warning', { type: 'action', id: actionId }]);
    assert.deepEqual([blocked.data.agent_id, blocked.data.destination], [governed.agent.id, 'evil.example.com:443']);
    assert.match(String(blocked.data.reason), /not among the destinations/);
  }
});

test('a name that resolves to an internal address is recorded as blocked, though the agent only learns that it was not reached', async () => {
  await newTool('inside', 'http://localhost:9/');
  await newTool('closed', `https://127.0.0.1:${await freePort()}/`);
  await newTool('unknown', 'http://nobody.invalid/');
  for (const tool of ['inside', 'closed']) {
    const answer = await governed.act({ tool });
    assert.equal(getCode(answer), 'EXECUTION_FAILED', answer.text);
    const events = await readEvents(answer);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['action.requested', 'action.allowed', 'action.failed', 'security.destination_blocked'],
    );
    assert.match(String(events[3]?.data.reason), /private or reserved/);
    assert.ok(!answer.text.includes('private'), answer.text);
  }
  const unknown = await governed.act({ tool: 'unknown' });
  assert.equal(getCode(unknown), 'EXECUTION_FAILED');
  assert.deepEqual(
    (await readEvents(unknown)).map(({ type }) => type),
    ['action.requested', 'action.allowed', 'action.failed'],
    'what is not there was not blocked',
  );
});
