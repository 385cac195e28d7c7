import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mintToken, newAgent, readAudience, SDK, signAssertion } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let governed: Governed;
before(async () => {
  planes = await startPlanes({ env: { SVC_DATABASE_TIMEOUT_MS: '1000' } });
  governed = await newGoverned(planes);
});
/** Lines are written after responses; an ended process has written all of its own. */
let stopped: Promise<void> | undefined;
const stop = (): Promise<void> => {
  stopped ??= planes.stop();
  return stopped;
};
after(stop);

type Line = { readonly request_id?: string; readonly trace_id?: string; readonly err?: { readonly message?: string } };
const lines = (): Line[] =>
  planes
    .logs()
    .split('\n')
    .filter((text) => text.startsWith('{'))
    .map((text) => JSON.parse(text) as Line);

test('every failure of a request is in the log with both ids of the response, at any stage', async () => {
  const { gatewayUrl } = planes;
  const { tenant, agent, tool, owner } = governed;
  const other = await newAgent(tenant);
  const token = await mintToken(gatewayUrl, agent);
  const assertion = signAssertion(other, await readAudience(gatewayUrl));
  const asks: readonly (() => Promise<TestResponse>)[] = [
    () => governed.act({}),
    () => governed.act({ approval_id: 'apr_00000000000000000000000001' }),
    () => owner('POST', '/v1/actions/evaluate', { agent_id: agent.id, tool: tool.name }),
    () => owner('POST', '/v1/policies/simulate', { agent_id: agent.id }),
    () => call(gatewayUrl, 'GET', '/gateway/v1/actions/act_00000000000000000000000001', { token }),
    () => call(gatewayUrl, 'POST', '/gateway/v1/token', { body: { agent_id: other.id, assertion, sdk: SDK } }),
  ];
  const database = await planes.database.client();
  const renamed = ['actions', 'approvals', 'environment_epochs', 'agents'];
  for (const name of renamed) await database.query(`alter table ${name} rename to ${name}_gone`);
  const answers = await Promise.all(asks.map((ask) => ask()));
  await database.end();
  await stop();
  const told = lines();
  for (const [place, answer] of answers.entries()) {
    assert.ok(answer.status >= 500, `${place}: ${answer.text}`);
    const ids = [answer.headers.get('x-request-id'), answer.headers.get('x-trace-id')];
    const own = told.filter((line) => line.request_id === ids[0] && line.err !== undefined);
    assert.ok(own.length > 0, `${place} (${answer.text}) is in no line of the log that tells of an error`);
    for (const line of own) assert.deepEqual([line.request_id, line.trace_id], ids);
  }
  const nobodys = told.filter((line) => line.err !== undefined && line.request_id === undefined && !('job' in line));
  assert.deepEqual(nobodys, []);
});
