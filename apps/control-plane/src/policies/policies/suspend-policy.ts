import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { type Guard, keepInvariants } from '@svc/operations/policies/invariants/keep-invariants.ts';
import { takePolicy } from '@svc/operations/policies/policies/take-policy.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { findPolicy, touchPolicy } from '@svc/postgres/policies/policies/policies.ts';
import { findPolicyVersion, supersedeActiveVersion } from '@svc/postgres/policies/versions.ts';
import type { ControlDeps } from '../../deps.ts';

/** Undoes the change: without this policy something may be permitted that is not now, so it is proved first what holds. */
class MayPermitMore extends Error {}

/** Without rules that allow, nothing is decided less strictly: what they alone permitted is blocked, and the strictest of others stands. */
const onlyAllows = (rules: readonly PolicyRule[]): boolean => rules.every(({ effect }) => effect === 'ALLOW');

const suspend = (call: Call<Endpoints['suspendPolicy']>, guard: Guard, isGuarded: boolean) =>
  call.change(
    guard(async ({ tx, emit }) => {
      const { organization_id } = call.scope;
      const policy = await takePolicy(tx, call.scope, call.params.policyId);
      if (isRefusal(policy)) return policy;
      const active = isGuarded ? undefined : await findPolicyVersion(tx, organization_id, policy.id, 'active');
      if (active && !onlyAllows(active.body.rules)) throw new MayPermitMore();
      const { status: from } = (await findPolicy(tx, organization_id, policy.id)) ?? { status: 'DRAFT' as const };
      const before = await supersedeActiveVersion(tx, organization_id, policy.id);
      if (before === null) {
        const details = { operation: 'suspend', from, allowed_from: ['ACTIVE'] };
        return call.refuse('INVALID_STATE_TRANSITION', 'Only a policy that is in force can be taken out of it.', details);
      }
      await touchPolicy(tx, organization_id, policy.id, { suspended_at: call.now, now: call.now });
      emit('policy.suspended', {
        ...about.policy(policy, policy.place),
        data: { reason: call.body.reason, before: { active_version_number: before }, after: { active_version_number: null } },
      });
      return (await findPolicy(tx, organization_id, policy.id)) ?? call.refuse('NOT_FOUND');
    }),
  );

const atOnce: Guard = (work) => work;

/**
 * Takes a policy out of force. What was in force is superseded and comes back by a rollback to it. One that only allows is stopped at once,
 * as an emergency needs it, also where an invariant says how strictly something is decided at most; any other when what has to hold is proved
 * to hold without it, before all other proofs.
 */
export const suspendPolicy: Handler<Endpoints['suspendPolicy'], ControlDeps> = async (call) => {
  try {
    return await suspend(call, atOnce, false);
  } catch (error) {
    if (!(error instanceof MayPermitMore)) throw error;
    return await keepInvariants(call.scope, (guard) => suspend(call, guard, true), 'emergency');
  }
};
