import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { buildAgentA2aPath } from '@svc/domain/peers/a2a/agent-a2a-path.ts';
import type { A2aSnapshot, ToolSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import type { Asked } from '@svc/enforcement/ports/fail-closed.ts';
import { type Current, loadCurrent } from '@svc/enforcement/ports/load-current.ts';
import type { AgentCaller } from '@svc/http/calls/call.ts';
import { verifyPeerToken } from '@svc/keyring/tokens/peer-token.ts';
import type { GatewayDeps } from '../../../deps.ts';

export type InboundTool = ToolSnapshot & { readonly a2a: A2aSnapshot };

/** Finds the tool of the inbound connection of an agent. */
export const findInboundTool = ({ environment, agent }: Current, connectionId: string): InboundTool | undefined =>
  [...environment.tools.values()].find(
    (tool): tool is InboundTool =>
      tool.a2a !== null &&
      tool.a2a.connection_id === connectionId &&
      tool.a2a.direction === 'INBOUND' &&
      tool.a2a.agent_id === agent.agent_id,
  );

const ENDED =
  'The registered keys of the connection changed since this token was issued, or the connection was removed. Request another token.';
const OTHER_AGENT = 'This token is for another agent. Request one for this connection.';

/** Authenticates the remote agent of an inbound connection by its token. Each of its messages is decided later. */
export const authenticatePeer = async (
  deps: GatewayDeps,
  token: string,
  now: number,
  request: Asked & { readonly url: string },
): Promise<AgentCaller | Refusal> => {
  const claims = verifyPeerToken(deps.platformKeys.keys, deps.tokenScope, token, now);
  if (isRefusal(claims)) return claims;
  const { connection_id, organization_id, environment_id, agent_id, key_series, expiresAtMs } = claims;
  if (request.url.split('?', 1)[0] !== buildAgentA2aPath(agent_id)) return buildRefusal('UNAUTHENTICATED', OTHER_AGENT);
  const current = await loadCurrent(deps.pipeline, request, organization_id, agent_id);
  if (isRefusal(current)) return current;
  const tool = current && findInboundTool(current, connection_id);
  if (current === undefined || tool === undefined || tool.a2a.key_series !== key_series) return buildRefusal('AGENT_TOKEN_EXPIRED', ENDED);
  const { key_generation, session_series } = current.agent;
  return {
    agentId: connection_id,
    name: tool.a2a.name,
    organizationId: organization_id,
    environmentId: environment_id,
    generation: key_generation,
    sessionId: connection_id,
    sessionSeries: session_series,
    context: null,
    sdkName: null,
    expiresAt: expiresAtMs,
  };
};
