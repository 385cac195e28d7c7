import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { asPolicySource } from '@svc/operations/policies/versions/as-policy-source.ts';
import { type CompiledVersion, compileVersion } from '@svc/policy/judge/compile-version.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { readInTenant, type TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import { readPolicyHead } from '@svc/postgres/policies/policies/policies.ts';
import { listBindings } from '@svc/postgres/policies/policies/policy-bindings.ts';
import { findPolicyVersion } from '@svc/postgres/policies/versions.ts';

/** Reads a version of a policy ready for evaluation, the newest if none is named. Writes nothing. */
export const readPolicyVersion = (
  database: Database,
  scope: TenantScope,
  policyId: string,
  versionId: string | undefined,
): Promise<CompiledVersion | Refusal<'NOT_FOUND'>> =>
  readInTenant(database, scope, async (tx) => {
    const { organization_id } = scope;
    const head = await readPolicyHead(tx, organization_id, policyId);
    if (!head) return buildRefusal('NOT_FOUND');
    const version = await findPolicyVersion(tx, organization_id, policyId, versionId === undefined ? 'newest' : { id: versionId });
    if (!version) return buildRefusal('NOT_FOUND', 'This policy has no such version.');
    return compileVersion(asPolicySource({ ...head, bindings: await listBindings(tx, organization_id, policyId) }, version));
  });
