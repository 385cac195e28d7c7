import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { API_VERSION } from '@svc/http/documents/version.ts';
import type { ServiceDeps } from '../deps.ts';

export const getInfo: Handler<Endpoints['getInfo'], ServiceDeps> = (_call, { urls }) => ({
  version: API_VERSION,
  base_url: urls.base,
  gateway_url: urls.gateway,
});
