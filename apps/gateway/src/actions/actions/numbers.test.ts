import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let downstream: Server;
let governed: Governed;
/** Bodies that arrived at the destination. */
const received: string[] = [];

before(async () => {
  downstream = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    received.push(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => downstream.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(downstream.address() as AddressInfo).port}`;
  planes = await leasePlanes({ env: { GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8' } });
  governed = await newGoverned(planes, {
    tool: { kind: 'HTTP', destination_allowlist: [address], execution: { method: 'POST', url: `http://${address}/pay` } },
  });
});
after(async () => {
  await planes.stop();
  downstream.close();
});

const act = (parameters: string): Promise<TestResponse> =>
  call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', {
    token: governed.token,
    raw: `{"tool":"${governed.tool.name}","parameters":${parameters}}`,
  });
const listPointers = ({ status, json }: TestResponse) => [
  status,
  json.error?.code,
  json.error?.details.faults?.map((f: { pointer: string }) => f.pointer),
];

test('a number is sent to the tool as it was written, or the request is refused with its pointer', async () => {
  for (const number of ['9007199254740993', '12345678901234567890', '-9007199254740993', '0.1234567890123456789', '1e-400', '1e400']) {
    const answer = await act(`{"account":{"numbers":[1,${number}]}}`);
    assert.deepEqual(listPointers(answer), [400, 'VALIDATION_FAILED', ['/parameters/account/numbers/1']], number);
  }
  assert.deepEqual(received, []);
  for (const number of ['9007199254740991', '-9007199254740991', '0.1', '19.99', '6.02e+23', '"9007199254740993"']) {
    assert.equal((await act(`{"account":${number}}`)).status, 200, number);
    assert.equal(received.pop(), `{"account":${number}}`);
  }
});

test('no other input accepts a number that parsing changes', async () => {
  const { tenant, agent, tool } = governed;
  const owner = (path: string, raw: string) => call(planes.controlUrl, 'POST', path, { token: tenant.token, raw });
  const big = '9007199254740993';
  const evaluate = `{"agent_id":"${agent.id}","tool":"${tool.name}","parameters":{"a":${big}}}`;
  assert.deepEqual(listPointers(await owner('/v1/actions/evaluate', evaluate)), [400, 'VALIDATION_FAILED', ['/parameters/a']]);
  const rule = (more: string) => `{"id":"a","effect":"BLOCK","reason":"x"${more}}`;
  const given = `{"name":"t","given":{"parameters":{"a":${big}}},"then":{"effect":"BLOCK"}}`;
  const value = rule(`,"when":{"field":"parameters.a","op":"eq","value":${big}}`);
  const version = `{"name":"numbers","rules":[${value}],"tests":[${given}]}`;
  const places = ['/rules/0/when/value', '/tests/0/given/parameters/a'];
  assert.deepEqual(listPointers(await owner('/v1/policies', version)), [400, 'VALIDATION_FAILED', places]);
  const simulated = await owner('/v1/policies/simulate', `{"agent_id":"${agent.id}","tool":"${tool.name}","parameters":{"a":${big}}}`);
  assert.deepEqual([simulated.status, simulated.json.error?.code], [400, 'VALIDATION_FAILED']);
  const { json } = await act('{"a":1}');
  const outcome = await call(planes.gatewayUrl, 'POST', `/gateway/v1/actions/${json.action_id}/outcome`, {
    token: governed.token,
    raw: `{"status":"COMPLETED","result":{"id":${big}}}`,
  });
  assert.deepEqual(listPointers(outcome), [400, 'VALIDATION_FAILED', ['/result/id']]);
});
