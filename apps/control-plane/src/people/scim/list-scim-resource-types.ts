import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { ControlDeps } from '../../deps.ts';
import { resourceTypes } from './answers/discovery.ts';
import { scimBase } from './resources/base-url.ts';

export const listScimResourceTypes: Handler<Endpoints['listScimResourceTypes'], ControlDeps> = (_, deps) => resourceTypes(scimBase(deps));
