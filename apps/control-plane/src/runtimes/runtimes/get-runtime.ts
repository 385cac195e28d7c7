import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asRuntime } from '@svc/operations/runtimes/runtimes/as-runtime.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findRuntime } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import type { RuntimesDeps } from '../deps.ts';

export const getRuntime: Handler<Endpoints['getRuntime'], RuntimesDeps> = (call) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const runtime = await findRuntime(tx, call.scope.organization_id, call.params.runtimeId);
    return runtime ? asRuntime(runtime, call.now) : call.refuse('NOT_FOUND');
  });
