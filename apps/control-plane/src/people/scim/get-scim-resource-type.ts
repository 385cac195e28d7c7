import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { getScimBaseUrl } from '@svc/operations/people/scim/base-url.ts';
import type { PeopleDeps } from '../deps.ts';
import { findResourceType } from './resources/discovery.ts';

export const getScimResourceType: Handler<Endpoints['getScimResourceType'], PeopleDeps> = ({ params, refuse }, deps) =>
  findResourceType(getScimBaseUrl(deps), params.resourceTypeName) ?? refuse('NOT_FOUND');
