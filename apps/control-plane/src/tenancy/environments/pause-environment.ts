import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { pauseEnvironment as pause } from '@svc/operations/tenancy/environments/pause-environment.ts';
import type { TenancyDeps } from '../deps.ts';

export const pauseEnvironment: Handler<Endpoints['pauseEnvironment'], TenancyDeps> = ({ scope, params, body, now, change }) =>
  change((each) => pause(each, { organizationId: scope.organization_id, environmentId: params.environmentId, reason: body.reason, now }));
