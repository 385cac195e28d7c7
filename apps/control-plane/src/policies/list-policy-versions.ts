import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/call.ts';
import { inTenant } from '@svc/postgres/in-tenant.ts';
import { findPolicy } from '@svc/postgres/policies.ts';
import type { ControlDeps } from '../deps.ts';

export const listPolicyVersions: Handler<Endpoints['listPolicyVersions'], ControlDeps> = async (call) => {
  const policy = await inTenant(call.database, call.scope, (tx) => findPolicy(tx, call.scope.organization_id, call.params.policyId));
  return policy?.versions ?? call.refuse('NOT_FOUND');
};
