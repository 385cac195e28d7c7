import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/call.ts';
import { findAction } from '@svc/postgres/find-action.ts';
import { readInTenant } from '@svc/postgres/in-tenant.ts';
import type { ControlDeps } from '../deps.ts';

export const getAction: Handler<Endpoints['getAction'], ControlDeps> = async (call) =>
  (await readInTenant(call.database, call.scope, (tx) => findAction(tx, call.scope.organization_id, call.params.actionId))) ??
  call.refuse('NOT_FOUND');
