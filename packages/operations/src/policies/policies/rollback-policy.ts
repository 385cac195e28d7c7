import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { refuseVersionTransition } from '@svc/domain/policies/versions/version-transition.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { type Change, undo } from '@svc/postgres/change/change.ts';
import { findPolicyVersion, insertPolicyVersion } from '@svc/postgres/policies/versions.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { isStopped, type PermissivenessCheck } from '../openings/check-openings.ts';
import { formatAcceptedWarnings } from '../versions/inert-rules.ts';
import { lockEditablePolicy } from './lock-editable-policy.ts';
import { putInForce } from './put-in-force.ts';

type RollbackPolicyRequest = CallContext & { readonly policyId: string; readonly body: EndpointBody<Endpoints['rollbackPolicy']> };

/** Restores the content of an earlier version as a new version that is in force at once; history is append-only. */
export const rollbackPolicy = async (
  { tx, emit }: Change<EmittedBy<Endpoints['rollbackPolicy']>>,
  request: RollbackPolicyRequest,
  check: PermissivenessCheck,
) => {
  const { organization_id } = request.scope;
  const { target_version_number, reason, accept_warnings, dry_run = false } = request.body;
  const accepts = accept_warnings || dry_run;
  const policy = await lockEditablePolicy(tx, request.scope, request.policyId);
  if (isRefusal(policy)) return policy;
  const target = await findPolicyVersion(tx, organization_id, policy.id, { number: target_version_number });
  const newest = await findPolicyVersion(tx, organization_id, policy.id, 'newest');
  if (!target || !newest) return buildRefusal('NOT_FOUND', 'This policy has no version of that number.', { target_version_number });
  const refused = refuseVersionTransition('rollback', target.status);
  if (refused) return refused;
  const { body, currency } = target;
  const version = { id: newId('policy_version'), version_number: newest.version_number + 1, currency, body };
  const created_by = request.actor.id;
  const openings = await check.begin(tx, policy.id);
  const forced = await putInForce({ tx, emit }, { organization_id, now: request.now }, policy, version, {
    accepts,
    write: () =>
      insertPolicyVersion(tx, organization_id, { ...version, policy_id: policy.id, status: 'ACTIVE', created_by, now: request.now }),
  });
  if (isRefusal(forced)) return forced;
  const opened = await openings.finish({ accepts });
  if (isStopped(opened)) return opened;
  emit('policy.rolled_back', {
    ...about.policy(policy, policy.place),
    data: {
      reason,
      ...formatAcceptedWarnings([...forced.accepted, ...opened.accepted]),
      target_version_number,
      before: { active_version_number: forced.before },
      after: { active_version_number: version.version_number, version_id: version.id },
    },
  });
  const changed = { ...forced.policy, ...opened.report };
  return dry_run ? undo(changed) : changed;
};
