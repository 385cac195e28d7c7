import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../../deps.ts';
import { buildMcpPath, describeResource } from './metadata/oauth-metadata.ts';

export const getMcpResource: Handler<Endpoints['getMcpResource'], GatewayDeps> = (_call, { tokenScope }) =>
  describeResource(tokenScope.issuer, buildMcpPath(), 'mcp');
