import type { AgentToken } from '@svc/contract/agents/identity.ts';
import type { Current } from '@svc/enforcement/ports/load-current.ts';
import { signAgentToken } from '@svc/keyring/tokens/agent-token.ts';
import type { GatewayDeps } from '../../../deps.ts';

export type BegunSession = {
  readonly id: string;
  readonly sdkName: string;
  readonly now: Date;
  readonly expiresAt: string;
  readonly resource: string | null;
  readonly jkt: string | null;
  readonly context: string | null;
};

/** Builds the token of a new session. It states the identity, not what the agent may do. */
export const buildSessionToken = (
  deps: GatewayDeps,
  { agent }: Current,
  { id, sdkName, now, expiresAt, resource, jkt, context }: BegunSession,
): AgentToken['data'] => {
  const lifetime = deps.settings.agentTokenLifetimeSeconds;
  const subject = {
    agent_id: agent.agent_id,
    session_id: id,
    organization_id: agent.organization_id,
    environment_id: agent.environment_id,
    key_generation: agent.key_generation,
    session_series: agent.session_series,
    sdk_name: sdkName,
    resource,
    jkt,
    context,
  };
  return {
    token: signAgentToken(deps.platformKeys.keys, deps.tokenScope, subject, now.getTime(), lifetime),
    token_type: jkt === null ? 'Bearer' : 'DPoP',
    expires_in: lifetime,
    expires_at: expiresAt,
    agent_id: agent.agent_id,
    environment_id: agent.environment_id,
    organization_id: agent.organization_id,
  };
};
