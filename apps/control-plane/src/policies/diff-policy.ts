import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/call.ts';
import { diffVersions } from '@svc/policy/diff-versions.ts';
import { inTenant } from '@svc/postgres/in-tenant.ts';
import { readPolicyHead } from '@svc/postgres/policies.ts';
import { findPolicyVersion } from '@svc/postgres/policy-versions.ts';
import type { ControlDeps } from '../deps.ts';

/** What two versions of a policy differ in: rules by id, tests by name. */
export const diffPolicy: Handler<Endpoints['diffPolicy'], ControlDeps> = (call) =>
  inTenant(call.database, call.scope, async (tx) => {
    const { organization_id } = call.scope;
    const { from, to } = call.query;
    if (!(await readPolicyHead(tx, organization_id, call.params.policyId))) return call.refuse('NOT_FOUND');
    const older = await findPolicyVersion(tx, organization_id, call.params.policyId, { number: from });
    const newer = await findPolicyVersion(tx, organization_id, call.params.policyId, { number: to });
    if (!older || !newer) return call.refuse('NOT_FOUND', `This policy has no version ${older ? to : from}.`);
    return { from, to, ...diffVersions(older.body, newer.body), replay: null, replay_note: 'Not asked for.' };
  });
