import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findPolicy } from '@svc/postgres/policies/policies/policies.ts';
import type { PoliciesDeps } from '../deps.ts';

export const getPolicy: Handler<Endpoints['getPolicy'], PoliciesDeps> = async (call) =>
  (await readInTenant(call.database, call.scope, (tx) => findPolicy(tx, call.scope.organization_id, call.params.policyId))) ??
  call.refuse('NOT_FOUND');
