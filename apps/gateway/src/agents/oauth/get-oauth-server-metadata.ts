import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../../deps.ts';
import { describeServer } from './metadata/oauth-metadata.ts';

export const getOauthServerMetadata: Handler<Endpoints['getOauthServerMetadata'], GatewayDeps> = (_call, { tokenScope }) =>
  describeServer(tokenScope.issuer);
