import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readPosture } from '@svc/operations/runtimes/runtimes/read-posture.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { RuntimesDeps } from '../deps.ts';

export const getRuntimePosture: Handler<Endpoints['getRuntimePosture'], RuntimesDeps> = (call) =>
  readInTenant(call.database, call.scope, (tx) =>
    readPosture(tx, call.scope.organization_id, { now: call.now, environment_id: call.query.environment_id }),
  );
