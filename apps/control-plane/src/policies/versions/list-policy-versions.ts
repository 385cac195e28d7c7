import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatListSection } from '@svc/http/lists/list-section.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listVersions, readPolicyHead } from '@svc/postgres/policies/policies/policies.ts';
import type { PoliciesDeps } from '../deps.ts';

export const listPolicyVersions: Handler<Endpoints['listPolicyVersions'], PoliciesDeps> = (call) => {
  const { organization_id } = call.scope;
  const { policyId } = call.params;
  const { limit = LIMITS.pages.defaultCount, offset = 0 } = call.query;
  return searchInTenant(call.database, call.scope, async (tx) => {
    if (!(await readPolicyHead(tx, organization_id, policyId))) return call.refuse('NOT_FOUND');
    return formatListSection(await listVersions(tx, organization_id, policyId, { limit, offset }));
  });
};
