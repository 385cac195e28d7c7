import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ agents: 1, capabilities: ['pay'], steppedUp: true });

const post = (url: string, path: string, form: Readonly<Record<string, string>>, token?: string) =>
  call(url, 'POST', path, {
    token,
    raw: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

test('introspectToken returns active for a token of the organization, and inactive for others and after a pause', async () => {
  const [agent] = s.agents;
  assert.ok(agent);
  const { json } = await post(s.planes.gatewayUrl, '/gateway/v1/oauth/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: agent.token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    audience: 'ledger',
  });
  const introspect = async (session: string) =>
    (await post(s.planes.controlUrl, '/v1/oauth/introspect', { token: json.access_token }, session)).json;
  const found = await introspect(s.tenant.token);
  assert.deepEqual([found.active, found.sub, found.scope, found.aud], [true, agent.id, 'pay', 'ledger']);
  assert.deepEqual(await introspect((await newTenant(s.planes)).token), { active: false });
  await s.send('POST', `/v1/agents/${agent.id}/pause`, {});
  assert.deepEqual(await introspect(s.tenant.token), { active: false });
});
