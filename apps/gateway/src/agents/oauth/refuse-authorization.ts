import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../../deps.ts';

export const refuseAuthorization: Handler<Endpoints['refuseAuthorization'], GatewayDeps> = (call) =>
  call.refuse(
    'UNPROCESSABLE',
    'People do not sign in here. Let the client sign in as an agent with client_credentials and private_key_jwt, or start it with: svc mcp proxy.',
    { oauth_error: 'unsupported_response_type' },
  );
