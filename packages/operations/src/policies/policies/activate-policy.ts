import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { refuseVersionTransition } from '@svc/domain/policies/versions/version-transition.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { activateDraft, findPolicyVersion } from '@svc/postgres/policies/versions.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { formatAcceptedWarnings } from '../versions/inert-rules.ts';
import { lockEditablePolicy } from './lock-editable-policy.ts';
import { putInForce } from './put-in-force.ts';

type ActivatePolicyRequest = CallContext & { readonly policyId: string; readonly body: EndpointBody<Endpoints['activatePolicy']> };

/** Puts a draft in force. Its content is checked and its tests run on exactly this version while the policy is locked. */
export const activatePolicy = async ({ tx, emit }: Change<EmittedBy<Endpoints['activatePolicy']>>, request: ActivatePolicyRequest) => {
  const { organization_id } = request.scope;
  const policy = await lockEditablePolicy(tx, request.scope, request.policyId);
  if (isRefusal(policy)) return policy;
  const version = await findPolicyVersion(tx, organization_id, policy.id, { id: request.body.version_id });
  if (!version) return buildRefusal('NOT_FOUND', 'This policy has no such version.');
  const refused = refuseVersionTransition('activate', version.status);
  if (refused) return refused;
  const forced = await putInForce({ tx, emit }, { organization_id, now: request.now }, policy, version, {
    accepts: request.body.accept_warnings,
    write: () => activateDraft(tx, organization_id, version.id, request.now),
  });
  if (isRefusal(forced)) return forced;
  emit('policy.activated', {
    ...about.policy(policy, policy.place),
    data: {
      reason: request.body.reason,
      ...formatAcceptedWarnings(forced.accepted),
      before: { active_version_number: forced.before },
      after: { active_version_number: version.version_number, version_id: version.id },
    },
  });
  return forced.policy;
};
