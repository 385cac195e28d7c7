import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import { startKeyedService } from '@svc/testing/peers/keyed-service.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';

test('a secret is not sent without TLS unless the operator permits it, also to a private address: by no call, test call or token endpoint', async () => {
  const env = { GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.1/32' };
  const [planes, service] = await Promise.all([leasePlanes({ env }), startKeyedService()]);
  try {
    const { tenant, agent, act, owner } = await newGoverned(planes);
    const { environment_id, controlUrl, token } = tenant;
    const post = (path: string, body: object) => mustCall(controlUrl, 'POST', path, { token, body });
    const url = `http://${service.host}/`;
    const named = { name: 'plain', environment_id };
    const place = { ...named, scheme: 'BEARER', destinations: [service.host], tools: ['plain'] };
    const { id } = await post('/v1/credentials', { ...place, secret: 'a-secret-of-the-service' });
    const declared = { ...named, required_capability: 'pay', kind: 'HTTP', destination_allowlist: [service.host] };
    const tool = await post('/v1/tools', { ...declared, execution: { method: 'POST', url, credential_id: id } });
    await post(`/v1/tools/${tool.id}/agents`, { agent_id: agent.id });

    const called = await act({ tool: 'plain' });
    assert.deepEqual(
      [called.json.error?.code, called.json.error?.details?.decision.status],
      ['DESTINATION_BLOCKED', 'FAILED'],
      called.text,
    );
    const tried = await owner('POST', `/v1/credentials/${id}/test`, { url });
    assert.equal(tried.json.failure?.reason, 'NOT_SENDABLE', tried.text);
    assert.equal(service.taken.length, 0);
    const oauth = { grant: 'CLIENT_CREDENTIALS', token_url: `${url}token`, client_id: 'us' };
    const stored = await owner('POST', '/v1/credentials', { ...place, name: 'tokens', oauth, client_secret: 'a-secret-of-the-client' });
    assert.deepEqual(
      [stored.status, stored.json.error?.details?.faults.map(({ pointer }: { pointer: string }) => pointer)],
      [400, ['/oauth/token_url']],
      stored.text,
    );
  } finally {
    await Promise.all([service.close(), planes.stop()]);
  }
});
