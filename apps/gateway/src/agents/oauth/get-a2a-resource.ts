import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../../deps.ts';
import { buildA2aPath, describeResource, readScope } from './metadata/oauth-metadata.ts';

export const getA2aResource: Handler<Endpoints['getA2aResource'], GatewayDeps> = (call, { tokenScope }) => {
  const path = buildA2aPath(call.params.a2aConnectionId);
  return readScope(path) === 'a2a' ? describeResource(tokenScope.issuer, path, 'a2a') : call.refuse('NOT_FOUND');
};
