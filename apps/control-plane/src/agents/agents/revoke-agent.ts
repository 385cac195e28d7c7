import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { changeLifecycle, lifecycleEvent } from '@svc/operations/agents/agents/change-lifecycle.ts';
import { tellOfRevoked } from '@svc/operations/agents/delegations/tell-of-ended.ts';
import { cancelApprovals } from '@svc/postgres/actions/approvals/cancel-approvals.ts';
import { lockAgent, retireAgentKey } from '@svc/postgres/agents/agents/agents.ts';
import { findCurrentPassport } from '@svc/postgres/agents/agents/passports.ts';
import { endTaken, type TakenDelegations, takeDelegationsOf } from '@svc/postgres/agents/delegations/end-delegations.ts';
import { inWholeOrganization } from '@svc/postgres/agents/delegations/in-whole-organization.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { ControlDeps } from '../../deps.ts';

type RevokeAgent = Endpoints['revokeAgent'];
type Writing = Change<RevokeAgent['emits'][number]>;

const BATCH_MAX = 1_000;

/** Answers whether there may be more. */
const cancelBatch = async (call: Call<RevokeAgent>, { tx, emit }: Writing): Promise<boolean> => {
  const { agentId } = call.params;
  const as = { code: 'AGENT_IDENTITY_REVOKED', now: call.now, limit: BATCH_MAX };
  const cancelled = await cancelApprovals(tx, call.scope.organization_id, agentId, as);
  for (const approval of cancelled) {
    const { action_id, was, votes } = approval;
    const states = { before: { status: was }, after: { status: 'CANCELLED' } };
    emit('approval.cancelled', {
      ...about.approval(approval),
      data: { action_id, agent_id: agentId, votes, ...states, reason: call.body.reason },
    });
  }
  return cancelled.length === BATCH_MAX;
};

const delegationsOf = ({ scope, params }: Call<RevokeAgent>, { tx }: Writing) =>
  inWholeOrganization(tx, scope, () => takeDelegationsOf(tx, scope.organization_id, params.agentId, BATCH_MAX));

/** Answers whether there may be more. */
const revokeDelegations = async (call: Call<RevokeAgent>, { tx, emit }: Writing, taken: TakenDelegations): Promise<boolean> => {
  const { scope, now, body, params } = call;
  const end = { status: 'REVOKED', reason: body.reason, now } as const;
  const ended = await inWholeOrganization(tx, scope, () => endTaken(tx, scope.organization_id, taken, end));
  tellOfRevoked(emit, ended, { reason: body.reason, because: params.agentId });
  return ended.length > 0;
};

/** The end of an identity: no session, no open approval, no delegation, no passport and no use of its key outlives it. */
export const revokeAgent: Handler<RevokeAgent, ControlDeps> = async (call) => {
  const revoked = await call.change(async (change) => {
    const { tx, emit } = change;
    const { organization_id } = call.scope;
    const { agentId } = call.params;
    await lockAgent(tx, organization_id, agentId);
    const delegations = await delegationsOf(call, change);
    const changed = await changeLifecycle(tx, { organizationId: organization_id, agentId, operation: 'revoke', now: call.now });
    if (isRefusal(changed)) return changed;
    await retireAgentKey(tx, organization_id, agentId, call.now);
    emit('agent.revoked', lifecycleEvent(changed, call.body.reason));
    const passport = await findCurrentPassport(tx, organization_id, agentId);
    if (passport) {
      const data = { agent_id: agentId, version: passport.version, reason: call.body.reason };
      emit('passport.revoked', { ...about.passport({ id: passport.id }, changed.agent), data });
    }
    await cancelBatch(call, change);
    await revokeDelegations(call, change, delegations);
    return changed.agent;
  });
  if (isRefusal(revoked)) return revoked;
  // The agent is stopped by now. What is left are approvals and delegations beyond the first batch, and those of that very moment.
  while (await call.change((change) => cancelBatch(call, change)));
  while (await call.change(async (change) => revokeDelegations(call, change, await delegationsOf(call, change))));
  return revoked;
};
