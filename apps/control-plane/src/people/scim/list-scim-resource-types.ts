import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { scimBase } from '@svc/operations/people/scim/base-url.ts';
import type { ControlDeps } from '../../deps.ts';
import { resourceTypes } from './resources/discovery.ts';

export const listScimResourceTypes: Handler<Endpoints['listScimResourceTypes'], ControlDeps> = (_, deps) => resourceTypes(scimBase(deps));
