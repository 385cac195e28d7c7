import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { getScimBaseUrl } from '@svc/operations/people/scim/base-url.ts';
import type { PeopleDeps } from '../deps.ts';
import { resourceTypes } from './resources/discovery.ts';

export const listScimResourceTypes: Handler<Endpoints['listScimResourceTypes'], PeopleDeps> = (_, deps) =>
  resourceTypes(getScimBaseUrl(deps));
