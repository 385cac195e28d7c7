import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { findSessionRefusal } from '@svc/enforcement/govern/session-refusal.ts';
import type { Asked } from '@svc/enforcement/ports/fail-closed.ts';
import { loadCurrent } from '@svc/enforcement/ports/load-current.ts';
import { isDpopScheme } from '@svc/http/admission/authenticate.ts';
import type { AgentCaller } from '@svc/http/calls/call.ts';
import type { AgentRequest } from '@svc/http/calls/serve-deps.ts';
import type { TokenScope } from '@svc/keyring/tokens/agent-token.ts';
import { isDpopFault } from '@svc/keyring/tokens/dpop-proof.ts';
import type { GatewayDeps } from '../../../deps.ts';
import { checkProof, PROOF_REQUIRED, spendProof } from '../dpop/prove-possession.ts';
import { authenticatePeer } from './authenticate-peer.ts';

/** Returns the caller with its name, or why its session has ended. */
const withSession = async (deps: GatewayDeps, caller: AgentCaller, now: number, asked: Asked): Promise<AgentCaller | Refusal> => {
  const current = await loadCurrent(deps.pipeline, asked, caller.organizationId, caller.agentId);
  if (!current) return buildRefusal('UNAUTHENTICATED');
  if (isRefusal(current)) return current;
  const session = { id: caller.sessionId, generation: caller.generation, series: caller.sessionSeries };
  return findSessionRefusal(current.agent, session, now) ?? { ...caller, name: current.agent.name };
};

/** Requests whose proof was used up. Some are authenticated again while their body arrives. */
const PROVEN = new WeakSet<AgentRequest>();

type Bound = {
  readonly token: string;
  readonly jkt: string | null;
  readonly now: number;
  readonly row: Endpoint;
  readonly request: AgentRequest;
};

/** Proves possession of the key that the token is bound to; undefined on success. */
const refuseUnproven = async (deps: GatewayDeps, { organizationId }: AgentCaller, bound: Bound): Promise<Refusal | undefined> => {
  const { token, jkt, now, request } = bound;
  const { authorization, dpop } = request.headers;
  if (PROVEN.has(request)) return undefined;
  const refuse = ({ error, message }: { readonly error: string; readonly message: string }): Refusal => {
    request.dpopError = error;
    return buildRefusal('UNAUTHENTICATED', message);
  };
  if (jkt === null) return refuse({ error: 'invalid_token', message: 'This token is not bound to a key. Send it with the scheme Bearer.' });
  if (!isDpopScheme(authorization))
    return refuse({ error: 'invalid_token', message: 'This token is bound to a key. Send it with the scheme DPoP and a proof.' });
  if (typeof dpop !== 'string') return refuse(PROOF_REQUIRED);
  const [path = ''] = request.url.split('?', 1);
  const at = new Date(now);
  const proof = checkProof(deps, { proof: dpop, method: request.method, path, now: at, token, jkt });
  if (isDpopFault(proof)) return refuse(proof);
  const spent = await spendProof(deps, { requestId: request.id, traceId: request.traceId }, organizationId, proof, at);
  if (spent !== undefined) return isRefusal(spent) ? spent : refuse(spent);
  PROVEN.add(request);
  return undefined;
};

const withProof = async (deps: GatewayDeps, caller: AgentCaller, bound: Bound): Promise<AgentCaller | Refusal> => {
  const refused = await refuseUnproven(deps, caller, bound);
  if (refused !== undefined) return refused;
  const { row, now, request } = bound;
  if (row.sessionCheckedBy === 'pipeline') return caller;
  return withSession(deps, caller, now, { requestId: request.id, traceId: request.traceId });
};

const OTHER_RESOURCE = 'This token is for another endpoint of the gateway. Request one with the address of this endpoint as resource.';

/** True unless the token is for one endpoint only (RFC 8707), and the request is to another. */
const opens = (resource: string | null, { audience }: TokenScope, url: string): boolean =>
  resource === null || resource === `${audience}${url.split('?', 1)[0]}`;

/** Authenticates a token. A paused agent keeps its session: it may still report outcomes. */
export const authenticateAgent = (
  deps: GatewayDeps,
  token: string,
  now: number,
  row: Endpoint,
  request: AgentRequest,
): AgentCaller | Refusal | Promise<AgentCaller | Refusal> => {
  if (row.sessionCheckedBy === 'connection')
    return authenticatePeer(deps, token, now, { requestId: request.id, traceId: request.traceId, url: request.url });
  const claims = deps.tokens.read(deps.platformKeys.keys, token, now);
  if (isRefusal(claims)) return claims;
  if (!opens(claims.resource, deps.tokenScope, request.url)) return buildRefusal('UNAUTHENTICATED', OTHER_RESOURCE);
  const caller: AgentCaller = {
    agentId: claims.agent_id,
    name: null,
    organizationId: claims.organization_id,
    environmentId: claims.environment_id,
    generation: claims.key_generation,
    sessionId: claims.session_id,
    sessionSeries: claims.session_series,
    context: claims.context,
    sdkName: claims.sdk_name,
    expiresAt: claims.expiresAtMs,
  };
  const asked = { requestId: request.id, traceId: request.traceId };
  const isBound = claims.jkt !== null || isDpopScheme(request.headers.authorization);
  if (isBound) return withProof(deps, caller, { token, jkt: claims.jkt, now, row, request });
  return row.sessionCheckedBy === 'pipeline' ? caller : withSession(deps, caller, now, asked);
};
