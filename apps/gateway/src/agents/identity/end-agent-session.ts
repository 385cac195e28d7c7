import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { endAgentSession as endSession } from '@svc/postgres/agents/identity/agent-sessions.ts';
import { about, EVERYWHERE } from '@svc/postgres/audit/about.ts';
import { findBindingPlace } from '@svc/postgres/policies/policies/policy-bindings.ts';
import type { GatewayDeps } from '../../deps.ts';

export const endAgentSession: Handler<Endpoints['endAgentSession'], GatewayDeps> = (call) =>
  call.change(async ({ tx, emit }) => {
    const { organizationId, agentId, sessionId, expiresAt } = call.agent;
    await endSession(tx, { organization_id: organizationId, agent_id: agentId, session_id: sessionId, expires_at: new Date(expiresAt) });
    const place = (await findBindingPlace(tx, organizationId, { scope: 'AGENT', id: agentId })) ?? EVERYWHERE;
    emit('session.revoked', { ...about.session({ id: sessionId }, place), data: { agent_id: agentId } });
    return { revoked: true };
  });
