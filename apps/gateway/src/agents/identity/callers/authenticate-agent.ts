import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { isRefusal, type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { statusAt } from '@svc/domain/agents/agents/status-at.ts';
import type { Asked } from '@svc/enforcement/ports/fail-closed.ts';
import type { AgentCaller } from '@svc/http/calls/call.ts';
import type { TokenScope } from '@svc/keyring/tokens/agent-token.ts';
import type { GatewayDeps } from '../../../deps.ts';
import { authenticatePeer } from './authenticate-peer.ts';
import { loadCurrent } from './load-current.ts';

/** The caller by its name, or why its session is over. */
const withSession = async (deps: GatewayDeps, caller: AgentCaller, now: number, asked: Asked): Promise<AgentCaller | Refusal> => {
  const current = await loadCurrent(deps.pipeline, asked, caller.organizationId, caller.agentId);
  if (!current) return refusal('UNAUTHENTICATED');
  if (isRefusal(current)) return current;
  const { agent } = current;
  if (agent.status === 'REVOKED') return refusal('AGENT_IDENTITY_REVOKED');
  if (agent.key_generation !== caller.generation) return refusal('IDENTITY_GENERATION_STALE');
  // The sessions of an agent end at its end, whenever that is written down.
  const isOver = statusAt(agent, now) === 'EXPIRED';
  const dead = isOver || agent.session_series !== caller.sessionSeries || agent.ended_sessions.has(caller.sessionId);
  return dead
    ? refusal('AGENT_TOKEN_EXPIRED', 'This session has ended. Sign in again with a new assertion.')
    : { ...caller, name: agent.name };
};

const OTHER_RESOURCE = 'This token is for another endpoint of the gateway. Request one with the address of this endpoint as resource.';

/** True unless the token is for one endpoint only (RFC 8707), and the request is to another. */
const opens = (resource: string | null, { audience }: TokenScope, url: string): boolean =>
  resource === null || resource === `${audience}${url.split('?', 1)[0]}`;

/** Who a token is for. A paused agent keeps its session: it may still report how what it began has ended. */
export const authenticateAgent = (
  deps: GatewayDeps,
  token: string,
  now: number,
  row: Endpoint,
  request: { readonly id: string; readonly traceId: string; readonly url: string },
): AgentCaller | Refusal | Promise<AgentCaller | Refusal> => {
  if (row.sessionCheckedBy === 'connection')
    return authenticatePeer(deps, token, now, { requestId: request.id, traceId: request.traceId, url: request.url });
  const claims = deps.tokens.read(deps.platformKeys.keys, token, now);
  if (isRefusal(claims)) return claims;
  if (!opens(claims.resource, deps.tokenScope, request.url)) return refusal('UNAUTHENTICATED', OTHER_RESOURCE);
  const caller: AgentCaller = {
    agentId: claims.agent_id,
    name: null,
    organizationId: claims.organization_id,
    environmentId: claims.environment_id,
    generation: claims.key_generation,
    sessionId: claims.session_id,
    sessionSeries: claims.session_series,
    sdkName: claims.sdk_name,
    expiresAt: claims.expiresAtMs,
  };
  if (row.sessionCheckedBy === 'pipeline') return caller;
  const asked = { requestId: request.id, traceId: request.traceId };
  return withSession(deps, caller, now, asked);
};
