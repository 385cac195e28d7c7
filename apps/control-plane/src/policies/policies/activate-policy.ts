import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { versionTransitionRefusal } from '@svc/domain/policies/versions/version-transition.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { keepInvariants } from '@svc/operations/policies/invariants/keep-invariants.ts';
import { putInForce } from '@svc/operations/policies/policies/put-in-force.ts';
import { takePolicy } from '@svc/operations/policies/policies/take-policy.ts';
import { toldAccepted } from '@svc/operations/policies/versions/inert-rules.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { activateDraft, findPolicyVersion } from '@svc/postgres/policies/versions.ts';
import type { ControlDeps } from '../../deps.ts';
import { proveInvariant } from '../proving/prove-invariant.ts';

/** Puts a draft in force. Its content is checked and its tests are run on this very version while nobody else can change the policy. */
export const activatePolicy: Handler<Endpoints['activatePolicy'], ControlDeps> = (call) =>
  keepInvariants({ scope: call.scope, prove: proveInvariant }, (guard) =>
    call.change(
      guard(async ({ tx, emit }) => {
        const { organization_id } = call.scope;
        const policy = await takePolicy(tx, call.scope, call.params.policyId);
        if (isRefusal(policy)) return policy;
        const version = await findPolicyVersion(tx, organization_id, policy.id, { id: call.body.version_id });
        if (!version) return call.refuse('NOT_FOUND', 'This policy has no such version.');
        const refused = versionTransitionRefusal('activate', version.status);
        if (refused) return refused;
        const forced = await putInForce({ tx, emit }, { organization_id, now: call.now }, policy, version, {
          accepts: call.body.accept_warnings,
          write: () => activateDraft(tx, organization_id, version.id, call.now),
        });
        if (isRefusal(forced)) return forced;
        emit('policy.activated', {
          ...about.policy(policy, policy.place),
          data: {
            reason: call.body.reason,
            ...toldAccepted(forced.accepted),
            before: { active_version_number: forced.before },
            after: { active_version_number: version.version_number, version_id: version.id },
          },
        });
        return forced.policy;
      }),
    ),
  );
