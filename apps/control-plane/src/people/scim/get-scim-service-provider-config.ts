import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { getScimBaseUrl } from '@svc/operations/people/scim/base-url.ts';
import type { PeopleDeps } from '../deps.ts';
import { getProviderConfig } from './resources/discovery.ts';

export const getScimServiceProviderConfig: Handler<Endpoints['getScimServiceProviderConfig'], PeopleDeps> = (_, deps) =>
  getProviderConfig(getScimBaseUrl(deps));
