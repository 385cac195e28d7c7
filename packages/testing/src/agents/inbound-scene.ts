import { randomUUID, sign } from 'node:crypto';
import { type A2aAgent, type CardSigningKey, startA2aAgent } from '../peers/a2a-agent.ts';
import { call, type TestResponse } from '../people/client.ts';
import type { Planes } from '../planes/start-planes.ts';
import { type Governed, type GovernedOptions, newGoverned } from './governed.ts';

/** A published agent with an inbound connection, over which a partner may send messages to it once the connection is verified. */
export type InboundScene = Governed & {
  /** The partner, whose card is verified. */
  readonly partner: A2aAgent;
  /** The A2A endpoint of the published agent. */
  readonly own: A2aAgent;
  readonly connectionId: string;
  readonly toolId: string;
  readonly path: string;
  readonly verify: () => Promise<TestResponse>;
  readonly block: () => Promise<TestResponse>;
  /** Signs in as the partner, with its key unless another is given. */
  readonly signIn: (options?: SignInOptions) => Promise<TestResponse>;
  /** A token of the partner. */
  readonly mint: () => Promise<string>;
  /** Sends a JSON-RPC request of the partner. */
  readonly ask: (method: string, params: object, options?: { readonly gateway?: number; readonly token?: string }) => Promise<TestResponse>;
  /** Sends a request whose answer is a stream, and reads the stream to its end. */
  readonly stream: (method: string, params: object, token: string) => Promise<string>;
  readonly close: () => Promise<void>;
};

export type SignInOptions = {
  readonly key?: CardSigningKey;
  readonly header?: object;
  readonly claims?: object;
  readonly form?: Readonly<Record<string, string>>;
  readonly assertion?: string;
  readonly gateway?: number;
};

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs a compact JWS like `private_key_jwt` clients do. */
export const signPeerJwt = ({ alg, kid, privateKey }: CardSigningKey, claims: object, header: object = {}): string => {
  const input = `${encode({ alg, kid, ...header })}.${encode(claims)}`;
  const bytes = Buffer.from(input);
  const signature = alg === 'EdDSA' ? sign(null, bytes, privateKey) : sign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
};

type PeerSignIn = { readonly connectionId: string; readonly key: CardSigningKey; readonly audience: string };

/** Obtains a token of the remote agent of a connection. */
export const mintPeerToken = async (gatewayUrl: string, { connectionId, key, audience }: PeerSignIn): Promise<string> => {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: connectionId, sub: connectionId, aud: audience, iat: now, exp: now + 60, jti: randomUUID() };
  const response = await fetch(`${gatewayUrl}/gateway/v1/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: signPeerJwt(key, claims),
    }),
  });
  if (response.status !== 200) throw new Error(await response.text());
  return ((await response.json()) as { access_token: string }).access_token;
};

const CARD = {
  description: 'Books rooms.',
  skills: [{ id: 'book', name: 'Book a room', description: 'Books a room.', tags: ['rooms'] }],
};

const must = (answer: TestResponse): TestResponse => {
  if (answer.status >= 300) throw new Error(answer.text);
  return answer;
};

/** Registers an inbound connection of a partner to an agent of the tenant, and lets the agent receive its messages. */
export const connectInbound = async (
  { owner, tenant, agent }: Pick<Governed, 'owner' | 'tenant' | 'agent'>,
  { partner, own, name = 'Partner' }: { readonly partner: A2aAgent; readonly own: A2aAgent; readonly name?: string },
): Promise<{ readonly connectionId: string; readonly toolId: string }> => {
  const { json } = must(
    await owner('POST', '/v1/a2a/connections', {
      ...{ name, environment_id: tenant.environment_id, card_url: partner.cardUrl, keys: [partner.key.jwk] },
      ...{ direction: 'INBOUND', agent_id: agent.id, agent_url: `${own.url}/a2a` },
    }),
  );
  must(await owner('POST', `/v1/agents/${agent.id}/capabilities`, { capability: json.required_capability }));
  must(await owner('POST', `/v1/tools/${json.tool_id}/agents`, { agent_id: agent.id }));
  return { connectionId: json.id, toolId: json.tool_id };
};

export const newInboundScene = async (
  planes: Planes,
  { offersPushes = false, ...options }: GovernedOptions & { readonly offersPushes?: boolean } = {},
): Promise<InboundScene> => {
  const governed = await newGoverned(planes, options);
  const { owner, agent } = governed;
  const [partner, own] = [await startA2aAgent(), await startA2aAgent()];
  own.offersPushes = offersPushes;
  must(await owner('POST', `/v1/agents/${agent.id}/publish`, { ...CARD, push_notifications: offersPushes }));
  const { connectionId, toolId } = await connectInbound(governed, { partner, own });
  const path = `/gateway/v1/agents/${agent.id}/a2a`;
  const audience: string = (await call(planes.gatewayUrl, 'GET', '/.well-known/oauth-authorization-server', {})).json.issuer;
  const readUrl = (gateway = 0): string => planes.gatewayUrls[gateway] ?? planes.gatewayUrl;
  const signIn: InboundScene['signIn'] = async ({ key = partner.key, header, claims, form, assertion, gateway } = {}) => {
    const now = Math.floor(Date.now() / 1000);
    const allClaims = { iss: connectionId, sub: connectionId, aud: audience, iat: now, exp: now + 60, jti: randomUUID(), ...claims };
    const response = await fetch(`${readUrl(gateway)}/gateway/v1/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: assertion ?? signPeerJwt(key, allClaims, header),
        ...form,
      }),
    });
    const text = await response.text();
    return { status: response.status, text, json: JSON.parse(text), headers: response.headers } as unknown as TestResponse;
  };
  const mint = async (): Promise<string> => must(await signIn()).json.access_token;
  const close = async (): Promise<void> => {
    await Promise.all([partner.close(), own.close()]);
  };
  return {
    ...governed,
    ...{ partner, own, connectionId, toolId, path, signIn, mint, close },
    verify: () => owner('POST', `/v1/a2a/connections/${connectionId}/verify`, {}),
    block: () => owner('POST', `/v1/a2a/connections/${connectionId}/block`, { reason: 'test' }),
    stream: async (method, params, token) => {
      const response = await fetch(`${planes.gatewayUrl}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'a2a-version': '1.0' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      return response.text();
    },
    ask: async (method, params, { gateway, token } = {}) =>
      call(readUrl(gateway), 'POST', path, {
        token: token ?? (await mint()),
        body: { jsonrpc: '2.0', id: 1, method, params },
        headers: { 'a2a-version': '1.0', accept: 'application/json, text/event-stream' },
      }),
  };
};
