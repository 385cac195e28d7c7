import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { platformJwk } from '@svc/keyring/sealed/platform-key.ts';
import type { GatewayDeps } from '../../deps.ts';

export const getPlatformKey: Handler<Endpoints['getPlatformKey'], GatewayDeps> = (call, deps) => {
  const keys = deps.platformKeys.published.map((key) => ({ key_id: key.kid, public_key: key.public_key, jwk: { ...platformJwk(key) } }));
  const [current] = keys;
  if (!current) return call.refuse('IDENTITY_SERVICE_UNAVAILABLE');
  return { key_id: current.key_id, algorithm: 'EdDSA', public_key: current.public_key, audience: deps.tokenScope.audience, keys };
};
