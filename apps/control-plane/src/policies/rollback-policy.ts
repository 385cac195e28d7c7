import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/refusal.ts';
import { versionTransitionRefusal } from '@svc/domain/policies/version-transition.ts';
import type { Handler } from '@svc/http/call.ts';
import { findPolicy, touchPolicy } from '@svc/postgres/policies.ts';
import { findPolicyVersion, insertPolicyVersion, supersedeActiveVersion } from '@svc/postgres/policy-versions.ts';
import type { ControlDeps } from '../deps.ts';
import { activationRefusal } from './activation-refusal.ts';
import { asPolicySource } from './as-policy-source.ts';
import { takePolicy } from './take-policy.ts';

/** Brings the content of an earlier version back as a new version that is in force at once; history is only ever added to. */
export const rollbackPolicy: Handler<Endpoints['rollbackPolicy'], ControlDeps> = (call) =>
  call.change(async ({ tx, emit }) => {
    const { organization_id } = call.scope;
    const { target_version_number, reason } = call.body;
    const policy = await takePolicy(tx, call.scope, call.params.policyId);
    if (isRefusal(policy)) return policy;
    const target = await findPolicyVersion(tx, organization_id, policy.id, { number: target_version_number });
    const newest = await findPolicyVersion(tx, organization_id, policy.id, 'newest');
    if (!target || !newest) return call.refuse('NOT_FOUND', 'This policy has no version of that number.', { target_version_number });
    const version = { id: call.newId('policy_version'), version_number: newest.version_number + 1, body: target.body };
    const refused = versionTransitionRefusal('rollback', target.status) ?? activationRefusal(asPolicySource(policy, version));
    if (refused) return refused;
    const before = await supersedeActiveVersion(tx, organization_id, policy.id);
    const created_by = call.caller.actor.id;
    await insertPolicyVersion(tx, organization_id, { ...version, policy_id: policy.id, status: 'ACTIVE', created_by, now: call.now });
    await touchPolicy(tx, organization_id, policy.id, { now: call.now });
    emit('policy.rolled_back', {
      subject: { type: 'policy', id: policy.id },
      ...policy.place,
      data: {
        reason,
        target_version_number,
        before: { active_version_number: before },
        after: { active_version_number: version.version_number, version_id: version.id },
      },
    });
    return (await findPolicy(tx, organization_id, policy.id)) ?? call.refuse('NOT_FOUND');
  });
