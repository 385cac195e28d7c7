import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { ASSERTION_TYPE, PLATFORM_KEY_PATH } from '@svc/contract/tables/wire-name.ts';
import { mustCall } from '../people/client.ts';
import type { Tenant } from '../people/tenant.ts';
import { newGatewayClient } from '../people/typed-client.ts';

export type TestAgent = {
  readonly id: string;
  readonly name: string;
  readonly privateKey: KeyObject;
  /** base64 SPKI. */
  readonly publicKey: string;
};

export type KeyPair = { readonly privateKey: KeyObject; readonly publicKey: string };

export const newKeyPair = (): KeyPair => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { privateKey, publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64') };
};

let agents = 0;

/** Registers an agent that generated its own key. */
export const newAgent = async (
  tenant: Tenant,
  {
    capabilities = [],
    name,
    ...rest
  }: { readonly capabilities?: readonly string[]; readonly name?: string; readonly labels?: object; readonly expires_at?: string } = {},
): Promise<TestAgent> => {
  agents += 1;
  const pair = newKeyPair();
  const { workspace_id, environment_id } = tenant;
  const body = { name: name ?? `agent-${agents}`, workspace_id, environment_id, capabilities, public_key: pair.publicKey, ...rest };
  const { data } = await mustCall(tenant.controlUrl, 'POST', '/v1/agents', { token: tenant.token, body });
  return { id: data.agent.id, name: data.agent.name, ...pair };
};

const encoded = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Signs a compact JWS with Ed25519 over any header and payload; an object is sent as JSON, a text unchanged. */
export const signCompactJws = (header: unknown, payload: unknown, privateKey: KeyObject): string => {
  const signed = `${encoded(header)}.${encoded(payload)}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
};

export type AssertionParts = { readonly header?: object; readonly payload?: object; readonly generation?: number; readonly now?: number };

/**
 * Signs a valid assertion, except for replaced members of its header or payload. Implemented without the SDK, from the specification only.
 */
export const signAssertion = (agent: Pick<TestAgent, 'id' | 'privateKey'>, audience: string, parts: AssertionParts = {}): string => {
  const now = parts.now ?? Date.now();
  const at = (ms: number) => new Date(ms).toISOString();
  return signCompactJws(
    { alg: 'EdDSA', typ: ASSERTION_TYPE, kid: `${agent.id}#${parts.generation ?? 1}`, ...parts.header },
    {
      sub: agent.id,
      aud: audience,
      iat: at(now),
      exp: at(now + 60_000),
      nonce: randomBytes(24).toString('base64url'),
      ...parts.payload,
    },
    agent.privateKey,
  );
};

/** Signs a valid client assertion of RFC 7523, except for replaced members of its header or payload. */
export const signClientAssertion = (agent: Pick<TestAgent, 'id' | 'privateKey'>, audience: string, parts: AssertionParts = {}): string => {
  const now = Math.floor((parts.now ?? Date.now()) / 1000);
  return signCompactJws(
    { alg: 'EdDSA', typ: 'JWT', ...parts.header },
    {
      iss: agent.id,
      sub: agent.id,
      aud: audience,
      iat: now,
      exp: now + 60,
      jti: randomBytes(16).toString('hex'),
      ...parts.payload,
    },
    agent.privateKey,
  );
};

/** Reads the audience that a gateway publishes. */
export const readAudience = async (gatewayUrl: string): Promise<string> =>
  (await mustCall(gatewayUrl, 'GET', PLATFORM_KEY_PATH)).audience as string;

export const SDK = { name: 'test', version: '1.0.0', runtime: 'node' };

/** Exchanges a new assertion for an agent token, for a session in the named flow context. */
export const mintToken = async (gatewayUrl: string, agent: TestAgent, generation = 1, context?: string): Promise<string> => {
  const payload = context === undefined ? {} : { context };
  const assertion = signAssertion(agent, await readAudience(gatewayUrl), { generation, payload });
  const body = { agent_id: agent.id, assertion, sdk: SDK };
  return (await newGatewayClient(gatewayUrl).mintToken({ body })).data.token;
};
