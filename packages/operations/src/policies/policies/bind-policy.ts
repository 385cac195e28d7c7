import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findPolicy, touchPolicy } from '@svc/postgres/policies/policies/policies.ts';
import { findBindingScope, insertBinding } from '@svc/postgres/policies/policies/policy-bindings.ts';
import { findPolicyVersion } from '@svc/postgres/policies/versions.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { formatAcceptedWarnings, listAcceptedWarnings } from '../versions/inert-rules.ts';
import { findInForceRefusal } from './in-force-refusal.ts';
import { lockEditablePolicy } from './lock-editable-policy.ts';

type BindPolicyRequest = CallContext & { readonly policyId: string; readonly body: EndpointBody<Endpoints['bindPolicy']> };

const BINDINGS_MAX = LIMITS.policies.bindingsPerPolicyMax;

/** Binds a policy to another scope. A version in force applies there from this moment. */
export const bindPolicy = async ({ tx, emit }: Change<'policy.bound'>, request: BindPolicyRequest) => {
  const { scope, id: target_id, reason } = request.body;
  const { organization_id } = request.scope;
  const policy = await lockEditablePolicy(tx, request.scope, request.policyId);
  if (isRefusal(policy)) return policy;
  if (policy.bindings.length >= BINDINGS_MAX) {
    return buildRefusal('UNPROCESSABLE', `A policy can have at most ${BINDINGS_MAX} bindings. Bind it to a common scope.`);
  }
  const place = await findBindingScope(tx, organization_id, { scope, id: target_id });
  if (!place) return buildRefusal('NOT_FOUND', 'The scope of the binding does not exist.');
  const active = await findPolicyVersion(tx, organization_id, policy.id, 'active');
  const bindings = [...policy.bindings, { scope, target_id }];
  const accepted = active
    ? await listAcceptedWarnings(tx, organization_id, { version: active, bindings }, request.body.accept_warnings)
    : [];
  if (isRefusal(accepted)) return accepted;
  await insertBinding(tx, organization_id, {
    id: newId('policy_binding'),
    policy_id: policy.id,
    scope,
    target_id,
    now: request.now,
  });
  const tooMuch = await findInForceRefusal(tx, organization_id);
  if (tooMuch) return tooMuch;
  await touchPolicy(tx, organization_id, policy.id, { now: request.now });
  emit('policy.bound', {
    ...about.policy(policy, place),
    data: { reason, ...formatAcceptedWarnings(accepted), after: { scope, target_id } },
  });
  return (await findPolicy(tx, organization_id, policy.id)) ?? buildRefusal('NOT_FOUND');
};
