import type { Decision } from '@svc/contract/actions/decisions.ts';
import type { SavedSimulation } from '@svc/contract/policies/trials.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import { lockEditablePolicy } from './lock-editable-policy.ts';

export type SavedRequest = {
  readonly scope: TenantScope;
  readonly policyId: string;
  readonly name: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly decision: Decision;
  readonly requestId: string;
};

/** Records a simulated request and its decision in the audit log, about one policy. Secrets in the request are masked there. */
export const saveSimulation = async (
  { tx, emit }: Change<'policy.simulated'>,
  { scope, policyId, name, request, decision, requestId }: SavedRequest,
): Promise<SavedSimulation | Refusal<'NOT_FOUND' | 'PERMISSION_DENIED'>> => {
  const policy = await lockEditablePolicy(tx, scope, policyId);
  if (isRefusal(policy)) return policy;
  const { decision: effect, code, mode, reason, explanation } = decision;
  emit('policy.simulated', {
    ...about.policy(policy, policy.place),
    data: { name, request, decision: { effect, code, mode, reason, matched_rule: explanation.matched_rule } },
  });
  return { policy_id: policy.id, name, decision, request_id: requestId };
};
