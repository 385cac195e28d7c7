import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { endAgentSession as endSession } from '@svc/operations/agents/identity/end-agent-session.ts';
import type { GatewayDeps } from '../../deps.ts';

export const endAgentSession: Handler<Endpoints['endAgentSession'], GatewayDeps> = (call) => {
  const { organizationId, agentId, sessionId, expiresAt } = call.agent;
  const request = { organizationId, agentId, sessionId, expiresAt: new Date(expiresAt) };
  return call.change((change) => endSession(change, request));
};
