import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { versionTransitionRefusal } from '@svc/domain/policies/versions/version-transition.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { keepInvariants } from '@svc/operations/policies/invariants/keep-invariants.ts';
import { checkOpenings, isStopped } from '@svc/operations/policies/openings/check-openings.ts';
import { putInForce } from '@svc/operations/policies/policies/put-in-force.ts';
import { takePolicy } from '@svc/operations/policies/policies/take-policy.ts';
import { toldAccepted } from '@svc/operations/policies/versions/inert-rules.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { undo } from '@svc/postgres/change/change.ts';
import { findPolicyVersion, insertPolicyVersion } from '@svc/postgres/policies/versions.ts';
import type { ControlDeps } from '../../deps.ts';
import { analyseChange } from '../analysis/analyse-change.ts';
import { proveInvariant } from '../proving/prove-invariant.ts';

/** Brings the content of an earlier version back as a new version that is in force at once; history is only ever added to. */
export const rollbackPolicy: Handler<Endpoints['rollbackPolicy'], ControlDeps> = (call) => {
  const { organization_id } = call.scope;
  const { target_version_number, reason, accept_warnings, dry_run = false } = call.body;
  const accepts = accept_warnings || dry_run;
  return checkOpenings({ organizationId: organization_id, analyse: analyseChange }, (check) =>
    keepInvariants({ scope: call.scope, prove: proveInvariant }, (guard) =>
      call.change(
        guard(async ({ tx, emit }) => {
          const policy = await takePolicy(tx, call.scope, call.params.policyId);
          if (isRefusal(policy)) return policy;
          const target = await findPolicyVersion(tx, organization_id, policy.id, { number: target_version_number });
          const newest = await findPolicyVersion(tx, organization_id, policy.id, 'newest');
          if (!target || !newest) return call.refuse('NOT_FOUND', 'This policy has no version of that number.', { target_version_number });
          const refused = versionTransitionRefusal('rollback', target.status);
          if (refused) return refused;
          const { body, currency } = target;
          const version = { id: call.newId('policy_version'), version_number: newest.version_number + 1, currency, body };
          const created_by = call.caller.actor.id;
          const openings = await check.begin(tx, policy.id);
          const forced = await putInForce({ tx, emit }, { organization_id, now: call.now }, policy, version, {
            accepts,
            write: () =>
              insertPolicyVersion(tx, organization_id, { ...version, policy_id: policy.id, status: 'ACTIVE', created_by, now: call.now }),
          });
          if (isRefusal(forced)) return forced;
          const opened = await openings.finish({ accepts });
          if (isStopped(opened)) return opened;
          emit('policy.rolled_back', {
            ...about.policy(policy, policy.place),
            data: {
              reason,
              ...toldAccepted([...forced.accepted, ...opened.accepted]),
              target_version_number,
              before: { active_version_number: forced.before },
              after: { active_version_number: version.version_number, version_id: version.id },
            },
          });
          const changed = { ...forced.policy, ...opened.report };
          return dry_run ? undo(changed) : changed;
        }),
      ),
    ),
  );
};
