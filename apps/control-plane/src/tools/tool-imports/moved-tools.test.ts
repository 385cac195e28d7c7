import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newCredential } from '@svc/testing/agents/new-credential.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ steppedUp: true });

const send = (method: string, path: string, body?: object, token = s.tenant.token) =>
  mustCall(s.tenant.controlUrl, method, path, { token, ...(body === undefined ? {} : { body }) });

const getDocument = (server: string, path = '/refunds'): string =>
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Shop', version: '7' },
    servers: [{ url: `https://${server}/v1` }],
    paths: { [path]: { post: { operationId: 'createRefund' } } },
  });

const read = (source: string, document: string) =>
  send('POST', '/v1/tool-imports', { environment_id: s.tenant.environment_id, source, document });
const apply = async (importId: string, body: object, token?: string) =>
  (await send('POST', `/v1/tool-imports/${importId}/apply`, body, token)).results[0];

/** Creates a tool that a document declared and that has a credential for its host. */
const newImported = async (source: string) => {
  const { id } = await read(source, getDocument('shop.example'));
  const { tool_id } = await apply(id, { states: ['NEW'] });
  const { name, execution } = await send('GET', `/v1/tools/${tool_id}`);
  const { credentialId } = await newCredential(s.tenant, { destinations: ['shop.example'], tools: [name] });
  await send('PATCH', `/v1/tools/${tool_id}`, { execution: { ...execution, credential_id: credentialId } });
  return { name, credentialId, executionOf: async () => (await send('GET', `/v1/tools/${tool_id}`)).execution };
};

test('a later document cannot move a tool with a credential to a host that the credential does not name', async () => {
  const { executionOf } = await newImported('moved');
  const before = await executionOf();
  const { id } = await read('moved', getDocument('elsewhere.example'));
  for (const more of [{}, { on_conflict: 'TAKE' }]) {
    const told = await apply(id, { states: ['CHANGED'], accept_warnings: true, ...more });
    assert.deepEqual([told.outcome, told.code], ['REFUSED', 'INVALID_CREDENTIAL_REFERENCE'], JSON.stringify(told));
    assert.deepEqual(await executionOf(), before);
  }
});

test('a later document cannot change the requests of such a tool without the permission to store credentials', async () => {
  const { executionOf } = await newImported('asked');
  const before = await executionOf();
  const permissions = ['tool:read', 'tool:create', 'tool:update'];
  const role = await send('POST', '/v1/roles', { name: 'Imports', permissions });
  const made = await call(s.tenant.controlUrl, 'POST', '/v1/api-keys', {
    token: s.tenant.token,
    body: { name: 'imports', role_id: role.id },
  });
  assert.equal(made.status, 201, made.text);
  const { id } = await read('asked', getDocument('shop.example', '/refunds/all'));
  const told = await apply(id, { states: ['NEW', 'CHANGED'], accept_warnings: true }, made.json.token);
  assert.deepEqual([told.outcome, told.code], ['REFUSED', 'PERMISSION_DENIED'], JSON.stringify(told));
  assert.match(told.message, /credential:create/);
  assert.deepEqual(await executionOf(), before);
});

test('a new tool with a name that a credential lists gets it only from a person with the permission to store credentials', async () => {
  const { name, credentialId } = await newImported('named');
  const there = await call(s.tenant.controlUrl, 'POST', '/v1/tools', {
    token: s.tenant.token,
    body: { name, environment_id: s.tenant.environment_id, required_capability: 'pay', kind: 'SDK' },
  });
  assert.equal(there.json.error.code, 'ALREADY_EXISTS');
  const elsewhere = await send('POST', '/v1/environments', { workspace_id: s.tenant.workspace_id, name: 'Other', type: 'STAGING' });
  const declared = {
    name,
    environment_id: elsewhere.id,
    required_capability: 'pay',
    kind: 'HTTP',
    destination_allowlist: ['shop.example'],
  };
  const execution = { method: 'POST', url: 'https://shop.example/v1', credential_id: credentialId };
  const made = await call(s.tenant.controlUrl, 'POST', '/v1/tools', { token: s.tenant.token, body: { ...declared, execution } });
  assert.equal(made.json.error.code, 'INVALID_CREDENTIAL_REFERENCE');
});
