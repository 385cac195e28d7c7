import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { platformJwk } from '@svc/keyring/sealed/platform-key.ts';
import type { GatewayDeps } from '../../deps.ts';

export const getJwks: Handler<Endpoints['getJwks'], GatewayDeps> = (call, { platformKeys }) => {
  const keys = platformKeys.published.map((key) => ({ ...platformJwk(key) }));
  return keys.length === 0 ? call.refuse('IDENTITY_SERVICE_UNAVAILABLE') : { keys };
};
