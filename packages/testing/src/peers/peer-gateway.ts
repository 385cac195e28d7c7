import { createPublicKey, generateKeyPairSync, type KeyObject, randomUUID, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Governance } from '@svc/sdk/governance.ts';
import type { GovernanceOptions } from '@svc/sdk/wire/options.ts';
import { buildDecision } from './peer-answers.ts';

/** A gateway for tests of rare failures. It speaks HTTP, verifies assertions itself, and shares no code with the client. */
export type PeerReply = { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> };

export type PeerRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into requests of every shape
  readonly body: any;
};

/** Treatment of a request instead of the default: another response, cutting the connection, or silence. */
export type Deed = PeerReply | 'cut' | 'hang' | 'answer then cut' | undefined;

export type Peer = {
  readonly url: string;
  readonly agentId: string;
  /** base64 PKCS8 of the key of the current generation. */
  privateKey: string;
  audience: string;
  /** How far the peer's clock is ahead of the local one. */
  aheadMs: number;
  tokenSeconds: number;
  readonly seen: PeerRequest[];
  /** Called for each request; undefined selects the default response. */
  deed: (request: PeerRequest) => Deed;
  readonly tokens: Set<string>;
  /** Creates a key of the next generation, and ends every token. */
  rotate: () => void;
  count: (path: string) => number;
  close: () => Promise<void>;
};

export const refuseStage = (status: number, code: string, details?: object, headers?: Record<string, string>): PeerReply => ({
  status,
  body: { error: { code, message: `Refused with ${code}.`, request_id: 'req_peer', ...(details ? { details } : {}) } },
  ...(headers ? { headers } : {}),
});

const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());

type State = {
  readonly keys: KeyObject[];
  readonly nonces: Set<string>;
  readonly answered: Map<string, { text: string; reply: PeerReply }>;
};

const judgeAssertion = (peer: Peer, { keys, nonces }: State, { agent_id, assertion, sdk }: PeerRequest['body']): PeerReply | undefined => {
  const [header, payload, signature, ...more] = String(assertion).split('.');
  const failed = refuseStage(401, 'AGENT_AUTHENTICATION_FAILED');
  if (!header || !payload || !signature || more.length > 0 || !sdk?.name || !sdk.version || !sdk.runtime) return failed;
  const { alg, typ, kid, ...otherHeaders } = decode(header);
  const { sub, aud, iat, exp, nonce, context = 'none', ...otherClaims } = decode(payload);
  const generation = Number(String(kid).split('#')[1]);
  const key = keys[generation - 1];
  const isShaped = alg === 'EdDSA' && typ === 'svc-assertion+jws' && kid === `${peer.agentId}#${generation}` && sub === agent_id;
  const isBare = Object.keys(otherHeaders).length + Object.keys(otherClaims).length === 0;
  if (!key || !isShaped || !isBare || sub !== peer.agentId || !/^[\w-]{22,128}$/.test(nonce) || !/^[\w.:-]+$/.test(context)) return failed;
  if (!verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url')) || aud !== peer.audience) return failed;
  const now = Date.now() + peer.aheadMs;
  const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
  const isTimely = iso.test(iat) && iso.test(exp) && Math.abs(Date.parse(iat) - now) <= 120_000;
  if (!isTimely || Date.parse(exp) <= now || Date.parse(exp) - Date.parse(iat) > 300_000) {
    return refuseStage(400, 'TIMESTAMP_OUT_OF_WINDOW', { server_time: new Date(now).toISOString() });
  }
  if (generation !== keys.length) return refuseStage(401, 'IDENTITY_GENERATION_STALE');
  if (nonces.has(nonce)) return refuseStage(400, 'NONCE_REPLAYED');
  nonces.add(nonce);
  return undefined;
};

const grant = (peer: Peer): object => {
  const token = `tok_${randomUUID()}`;
  peer.tokens.add(token);
  const expires_at = new Date(Date.now() + peer.aheadMs + peer.tokenSeconds * 1000).toISOString();
  const ids = { agent_id: peer.agentId, environment_id: 'env_peer', organization_id: 'org_peer' };
  return { token, token_type: 'Bearer', expires_in: peer.tokenSeconds, expires_at, ...ids };
};

const usable = { workspace_id: 'wsp_peer', mode: 'ENFORCE', capabilities: ['x'], passport_version: 1, tools: [] };

/** Repeats the first response for the same request, refuses a different one, and keeps no 5xx, like the real one. */
const answerOnce = (state: State, request: PeerRequest, answer: () => PeerReply): PeerReply => {
  const key = String(request.headers['idempotency-key']);
  const text = JSON.stringify(request.body);
  const first = state.answered.get(key);
  if (first) return first.text === text ? first.reply : refuseStage(409, 'IDEMPOTENCY_KEY_REUSED');
  const reply = answer();
  state.answered.set(key, { text, reply });
  return reply;
};

const usual = (peer: Peer, state: State, request: PeerRequest): PeerReply => {
  const { path, headers, body } = request;
  if (path === '/.well-known/svc-platform-key') return { status: 200, body: { key_id: 'k', algorithm: 'EdDSA', audience: peer.audience } };
  if (path === '/gateway/v1/token' || path === '/gateway/v1/handshake') {
    const more = path.endsWith('/handshake') ? usable : {};
    return judgeAssertion(peer, state, body) ?? { status: 200, body: { data: { ...grant(peer), ...more } } };
  }
  const token = String(headers.authorization).slice('Bearer '.length);
  if (!peer.tokens.has(token)) return refuseStage(401, 'AGENT_TOKEN_EXPIRED');
  if (path === '/gateway/v1/logout') return { status: 200, body: { revoked: peer.tokens.delete(token) } };
  if (path === '/gateway/v1/actions') return answerOnce(state, request, () => ({ status: 200, body: buildDecision(body.tool) }));
  if (path.endsWith('/outcome')) return { status: 200, body: { id: path.split('/')[4], decision: 'ALLOW', status: body.status } };
  return refuseStage(404, 'NOT_FOUND');
};

const write = (response: ServerResponse, { status, body, headers }: PeerReply): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_peer', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
};

const read = async (request: IncomingMessage): Promise<PeerRequest> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const { method = '', url = '', headers } = request;
  return { method, path: url, headers, body: text === '' ? undefined : JSON.parse(text) };
};

const newKey = (): { privateKey: string; publicKey: KeyObject } => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const publicKey = createPublicKey(privateKey);
  return { privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'), publicKey };
};

export const startPeer = async (): Promise<Peer> => {
  const first = newKey();
  const state: State = { keys: [first.publicKey], nonces: new Set(), answered: new Map() };
  const server = createServer(async (request, response) => {
    const seen = await read(request);
    peer.seen.push(seen);
    const deed = peer.deed(seen);
    if (deed === 'hang') return;
    if (deed === 'answer then cut') usual(peer, state, seen);
    if (deed === 'cut' || deed === 'answer then cut') return void request.socket.destroy();
    write(response, deed ?? usual(peer, state, seen));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const peer: Peer = {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    agentId: 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    privateKey: first.privateKey,
    audience: 'https://peer.example/gateway',
    aheadMs: 0,
    tokenSeconds: 900,
    seen: [],
    deed: () => undefined,
    tokens: new Set(),
    rotate: () => {
      const next = newKey();
      state.keys.push(next.publicKey);
      peer.privateKey = next.privateKey;
      peer.tokens.clear();
    },
    count: (path) => peer.seen.filter((request) => request.path === path).length,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return peer;
};

/** Creates a client of the peer's agent. */
export const createClient = (peer: Peer, options: Partial<GovernanceOptions> = {}): Governance =>
  new Governance({ gatewayUrl: peer.url, agentId: peer.agentId, privateKey: peer.privateKey, ...options });
