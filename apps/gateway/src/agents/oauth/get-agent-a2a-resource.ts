import type { Endpoints } from '@svc/contract/endpoints.ts';
import { buildAgentA2aPath } from '@svc/domain/peers/a2a/agent-a2a-path.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../../deps.ts';
import { describeResource, readScope } from './metadata/oauth-metadata.ts';

export const getAgentA2aResource: Handler<Endpoints['getAgentA2aResource'], GatewayDeps> = (call, { tokenScope }) => {
  const path = buildAgentA2aPath(call.params.agentId);
  return readScope(path) === 'a2a' ? describeResource(tokenScope.issuer, path, 'a2a') : call.refuse('NOT_FOUND');
};
