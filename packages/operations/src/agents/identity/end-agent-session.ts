import { endAgentSession as endSession } from '@svc/postgres/agents/identity/agent-sessions.ts';
import { about, EVERYWHERE } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findBindingScope } from '@svc/postgres/policies/policies/policy-bindings.ts';

type EndAgentSessionRequest = {
  readonly organizationId: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly expiresAt: Date;
};

/** Ends a session of an agent before it expires. */
export const endAgentSession = async (
  { tx, emit }: Change<'session.revoked'>,
  { organizationId, agentId, sessionId, expiresAt }: EndAgentSessionRequest,
) => {
  await endSession(tx, { organization_id: organizationId, agent_id: agentId, session_id: sessionId, expires_at: expiresAt });
  const place = (await findBindingScope(tx, organizationId, { scope: 'AGENT', id: agentId })) ?? EVERYWHERE;
  emit('session.revoked', { ...about.session({ id: sessionId }, place), data: { agent_id: agentId } });
  return { revoked: true };
};
