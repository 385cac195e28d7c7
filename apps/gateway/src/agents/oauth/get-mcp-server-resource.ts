import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../../deps.ts';
import { buildMcpPath, describeResource, readScope } from './metadata/oauth-metadata.ts';

export const getMcpServerResource: Handler<Endpoints['getMcpServerResource'], GatewayDeps> = (call, { tokenScope }) => {
  const path = buildMcpPath(call.params.serverId);
  return readScope(path) === 'mcp' ? describeResource(tokenScope.issuer, path, 'mcp') : call.refuse('NOT_FOUND');
};
