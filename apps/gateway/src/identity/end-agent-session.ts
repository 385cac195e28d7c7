import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/call.ts';
import { endAgentSession as endSession } from '@svc/postgres/agent-sessions.ts';
import type { GatewayDeps } from '../deps.ts';

export const endAgentSession: Handler<Endpoints['endAgentSession'], GatewayDeps> = (call) =>
  call.change(async ({ tx, emit }) => {
    const { organizationId, agentId, environmentId, sessionId, expiresAt } = call.agent;
    await endSession(tx, { organization_id: organizationId, agent_id: agentId, session_id: sessionId, expires_at: new Date(expiresAt) });
    emit('session.revoked', { subject: { type: 'session', id: sessionId }, environment_id: environmentId, data: { agent_id: agentId } });
    return { revoked: true };
  });
