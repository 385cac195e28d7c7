import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { getScimBaseUrl } from '@svc/operations/people/scim/base-url.ts';
import type { PeopleDeps } from '../deps.ts';
import { findSchema } from './resources/discovery.ts';

export const getScimSchema: Handler<Endpoints['getScimSchema'], PeopleDeps> = ({ params, refuse }, deps) =>
  findSchema(getScimBaseUrl(deps), params.schemaUrn) ?? refuse('NOT_FOUND');
