import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import {
  Client as NewClient,
  PrivateKeyJwtProvider as NewProvider,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client';
import { PrivateKeyJwtProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { newAgent, newKeyPair, readAudience, signAssertion, signClientAssertion, type TestAgent } from '@svc/testing/agents/agent.ts';
import { MCP_ENV, type McpScene, newMcpScene } from '@svc/testing/agents/mcp-scene.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let scene: McpScene;
let issuer: string;
before(async () => {
  planes = await leasePlanes({ env: MCP_ENV });
  scene = await newMcpScene(planes);
  await scene.authorize('echo');
  issuer = await readAudience(planes.gatewayUrl);
});
after(async () => {
  await scene.close();
  await planes.stop();
});

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

const request = (form: Readonly<Record<string, string>>): Promise<TestResponse> =>
  call(planes.gatewayUrl, 'POST', '/gateway/v1/oauth/token', {
    raw: new URLSearchParams({ grant_type: 'client_credentials', client_assertion_type: TYPE, ...form }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

type Parts = Parameters<typeof signClientAssertion>[2];
const requestSigned = (parts: Parts, form: Readonly<Record<string, string>> = {}, agent: TestAgent = scene.agent): Promise<TestResponse> =>
  request({ client_assertion: signClientAssertion(agent, issuer, parts), ...form });

const exportKey = (agent: TestAgent): Record<string, string> => ({
  ...(agent.privateKey.export({ format: 'jwk' }) as Record<string, string>),
});

describe('a stock MCP client with only an address and a key', () => {
  const given = () => ({ clientId: scene.agent.id, privateKey: exportKey(scene.agent), algorithm: 'EdDSA', expectedIssuer: issuer });

  test('the SDK of version 1 signs in through the challenge and the metadata, and calls a tool', async () => {
    const url = new URL(`${issuer}${scene.path}`);
    const transport = new StreamableHTTPClientTransport(url, { authProvider: new PrivateKeyJwtProvider(given()) });
    const client = new Client({ name: 'stock', version: '1' });
    await client.connect(transport as Parameters<Client['connect']>[0]);
    const result = await client.callTool({ name: 'echo', arguments: { text: 'hello' } });
    assert.deepEqual(result.structuredContent, { text: 'hello' });
    await client.close();
  });

  test('the SDK of version 2 does so too', async () => {
    const url = new URL(`${issuer}/gateway/v1/mcp`);
    const transport = new NewTransport(url, { authProvider: new NewProvider(given()) });
    const client = new NewClient({ name: 'stock', version: '2' });
    await client.connect(transport);
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name.endsWith('echo')),
      [true],
    );
    await client.close();
  });
});

test('getMcpServerResource, getOauthServerMetadata: a request without a token leads to the metadata, which names this gateway', async () => {
  const { status, headers } = await call(planes.gatewayUrl, 'POST', scene.path, { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
  const metadata = `${issuer}/.well-known/oauth-protected-resource${scene.path}`;
  assert.deepEqual([status, headers.get('www-authenticate')], [401, `Bearer resource_metadata="${metadata}"`]);
  const resource = (await call(metadata, 'GET', '')).json;
  assert.deepEqual([resource.resource, resource.authorization_servers], [`${issuer}${scene.path}`, [issuer]]);
  const server = (await call(issuer, 'GET', '/.well-known/oauth-authorization-server')).json;
  assert.deepEqual(
    [server.issuer, server.token_endpoint, server.token_endpoint_auth_methods_supported],
    [issuer, `${issuer}/gateway/v1/oauth/token`, ['private_key_jwt']],
  );
});

test('getMcpResource, getA2aResource, getAgentA2aResource: every endpoint has metadata, and a malformed id has none', async () => {
  const describe = (path: string) => call(issuer, 'GET', `/.well-known/oauth-protected-resource${path}`);
  const a2a = '/gateway/v1/a2a/a2a_01ARZ3NDEKTSV4RRFFQ69G5FAV';
  for (const [path, scope] of [
    ['/gateway/v1/mcp', 'mcp'],
    [a2a, 'a2a'],
    ['/gateway/v1/agents/agt_01ARZ3NDEKTSV4RRFFQ69G5FAV/a2a', 'a2a'],
  ] as const) {
    const { json, text } = await describe(path);
    assert.deepEqual([json.resource, json.scopes_supported], [`${issuer}${path}`, [scope]], text);
  }
  for (const path of ['/gateway/v1/mcp/mcp_not-an-id', '/gateway/v1/a2a/x', '/gateway/v1/agents/x/a2a', a2a.replace('/a2a/', '/mcp/')])
    assert.equal((await describe(path)).status, 404, path);
});

test('issueOauthToken, getJwks: a token for one endpoint opens that endpoint only, and verifies under the published keys', async () => {
  const resource = `${issuer}${scene.path}`;
  const { status, json, text } = await requestSigned({}, { resource });
  assert.deepEqual([status, json.token_type, json.scope], [200, 'Bearer', 'mcp'], text);
  const { keys } = (await call(issuer, 'GET', '/gateway/v1/oauth/jwks')).json;
  const [header = '', payload = '', signature = ''] = json.access_token.split('.');
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
  const key = createPublicKey({ key: keys.find((each: { kid: string }) => each.kid === kid), format: 'jwk' });
  assert.ok(verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url')));
  const { iss, sub, aud } = JSON.parse(Buffer.from(payload, 'base64url').toString());
  assert.deepEqual([iss, sub, aud], [issuer, scene.agent.id, [issuer, resource]]);
  const listed = await scene.ask('tools/list', {}, { token: json.access_token });
  assert.equal(listed.status, 200, listed.text);
  for (const [method, path] of [
    ['POST', '/gateway/v1/mcp'],
    ['POST', '/gateway/v1/actions'],
    ['POST', '/gateway/v1/logout'],
    ['POST', `${scene.path}/`],
  ] as const) {
    const refused = await call(planes.gatewayUrl, method, path, { token: json.access_token, body: {} });
    assert.ok([401, 404].includes(refused.status), `${path}: ${refused.text}`);
  }
});

test('issueOauthToken: a token without a resource opens the whole gateway, as other agent tokens do', async () => {
  const { json } = await requestSigned({});
  assert.equal(json.scope, 'mcp a2a');
  const acted = await call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', { token: json.access_token, body: {} });
  assert.equal(acted.json.error.code, 'VALIDATION_FAILED');
});

describe('issueOauthToken refuses', () => {
  const now = () => Math.floor(Date.now() / 1000);
  const cases: readonly (readonly [string, () => Promise<TestResponse>, string, RegExp])[] = [
    ['another grant', () => request({ grant_type: 'password' }), 'unsupported_grant_type', /client_credentials/],
    ['a client without an assertion', () => request({ client_assertion_type: '' }), 'invalid_client', /private_key_jwt/],
    ['a client secret', () => request({ client_id: scene.agent.id, client_secret: 'x' }), 'invalid_client', /private_key_jwt/],
    ['a resource elsewhere', () => requestSigned({}, { resource: 'https://evil.example/gateway/v1/mcp' }), 'invalid_target', /resource/],
    [
      'an address that only begins alike',
      () => requestSigned({}, { resource: `${issuer}.evil.example/gateway/v1/mcp` }),
      'invalid_target',
      /resource/,
    ],
    [
      'a path that leaves the endpoint',
      () => requestSigned({}, { resource: `${issuer}/gateway/v1/mcp/../actions` }),
      'invalid_target',
      /resource/,
    ],
    ['an unknown scope', () => requestSigned({}, { scope: 'mcp admin' }), 'invalid_scope', /mcp a2a/],
    [
      'a scope of another endpoint',
      () => requestSigned({}, { resource: `${issuer}/gateway/v1/mcp`, scope: 'a2a' }),
      'invalid_scope',
      /mcp/,
    ],
    ['another audience', () => requestSigned({ payload: { aud: `${issuer}/` } }), 'invalid_client', /^AGENT_AUTHENTICATION_FAILED/],
    ['several audiences', () => requestSigned({ payload: { aud: [issuer, 'https://evil.example'] } }), 'invalid_client', /aud must be/],
    ['an issuer that is not the subject', () => requestSigned({ payload: { iss: 'agt_0' } }), 'invalid_client', /iss must be/],
    ['another client id', () => requestSigned({}, { client_id: 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV' }), 'invalid_client', /not from the agent/],
    [
      'an expired assertion',
      () => requestSigned({ payload: { iat: now() - 90, exp: now() - 30 } }),
      'invalid_client',
      /^TIMESTAMP_OUT_OF_WINDOW/,
    ],
    [
      'an assertion that lives too long',
      () => requestSigned({ payload: { exp: now() + 3_600 } }),
      'invalid_client',
      /^TIMESTAMP_OUT_OF_WINDOW/,
    ],
    ['times as texts', () => requestSigned({ payload: { iat: new Date().toISOString() } }), 'invalid_client', /iat must be a number/],
    ['no jti', () => requestSigned({ payload: { jti: undefined } }), 'invalid_client', /jti must be/],
    ['another algorithm', () => requestSigned({ header: { alg: 'none' } }), 'invalid_client', /alg must be EdDSA/],
    ['another kind of assertion', () => request({ client_assertion: signAssertion(scene.agent, issuer) }), 'invalid_client', /typ must be/],
    [
      'a key generation that does not exist',
      () => requestSigned({ header: { kid: `${scene.agent.id}#2` } }),
      'invalid_client',
      /^AGENT_AUTHENTICATION_FAILED/,
    ],
    ['another key', () => requestSigned({}, {}, { ...scene.agent, ...newKeyPair() }), 'invalid_client', /^AGENT_AUTHENTICATION_FAILED/],
    ['a text', () => request({ client_assertion: 'x' }), 'invalid_client', /compact JWS/],
  ];
  for (const [name, ask, word, says] of cases)
    test(name, async () => {
      const { status, json, text } = await ask();
      assert.deepEqual([status === 400 || status === 401, json?.error], [true, word], text);
      assert.match(json.error_description, says);
      assert.equal(json.access_token, undefined);
    });

  test('a used assertion, in any form of sign-in', async () => {
    const client_assertion = signClientAssertion(scene.agent, issuer);
    const answers = await Promise.all([1, 2, 3].map(() => request({ client_assertion })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400]);
    for (const { json } of answers.filter(({ status }) => status === 400))
      assert.deepEqual([json.error, /^NONCE_REPLAYED/.test(json.error_description)], ['invalid_client', true]);
    const other = await call(planes.gatewayUrl, 'POST', '/gateway/v1/token', {
      body: {
        agent_id: scene.agent.id,
        assertion: signClientAssertion(scene.agent, issuer),
        sdk: { name: 'a', version: '1', runtime: 'r' },
      },
    });
    assert.equal(other.json.error.code, 'AGENT_AUTHENTICATION_FAILED');
  });

  test('an agent that was revoked, and its token at once', async () => {
    const agent = await newAgent(scene.tenant);
    const { json } = await requestSigned({}, {}, agent);
    await scene.owner('POST', `/v1/agents/${agent.id}/pause`, {});
    const paused = await requestSigned({}, {}, agent);
    assert.deepEqual([paused.json.error, /^AGENT_NOT_OPERATIONAL/.test(paused.json.error_description)], ['invalid_client', true]);
    await scene.owner('POST', `/v1/agents/${agent.id}/revoke`, { reason: 'test' });
    const refused = await call(planes.gatewayUrl, 'POST', '/gateway/v1/mcp', { token: json.access_token, body: {} });
    assert.equal(refused.status, 401);
  });
});

test('refuseAuthorization never redirects, for any request', async () => {
  const query = new URLSearchParams({ response_type: 'code', client_id: 'x', redirect_uri: 'https://evil.example/', extra: '1' });
  const { status, headers, json } = await call(planes.gatewayUrl, 'GET', `/gateway/v1/oauth/authorize?${query}`);
  assert.deepEqual([status, headers.get('location'), json.error], [400, null, 'unsupported_response_type']);
});
