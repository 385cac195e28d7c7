import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/refusal.ts';
import type { Handler } from '@svc/http/call.ts';
import { cancelApprovals } from '@svc/postgres/cancel-approvals.ts';
import { findCurrentPassport } from '@svc/postgres/passports.ts';
import type { ControlDeps } from '../deps.ts';
import { changeLifecycle, lifecycleEvent } from './change-lifecycle.ts';

/** The end of an identity: no session, no open approval and no passport outlives it. */
export const revokeAgent: Handler<Endpoints['revokeAgent'], ControlDeps> = (call) =>
  call.change(async ({ tx, emit }) => {
    const { organization_id } = call.scope;
    const { reason } = call.body;
    const { agentId } = call.params;
    const changed = await changeLifecycle(tx, { organizationId: organization_id, agentId, operation: 'revoke', now: call.now });
    if (isRefusal(changed)) return changed;
    emit('agent.revoked', lifecycleEvent(changed, reason));
    const { workspace_id, environment_id } = changed.agent;
    const passport = await findCurrentPassport(tx, organization_id, agentId);
    if (passport) {
      emit('passport.revoked', {
        subject: { type: 'passport', id: passport.id },
        workspace_id,
        environment_id,
        data: { agent_id: agentId, reason },
      });
    }
    for (const { id, action_id, ...place } of await cancelApprovals(tx, organization_id, agentId, call.now)) {
      emit('approval.cancelled', { subject: { type: 'approval', id }, ...place, data: { action_id, agent_id: agentId, reason } });
    }
    return changed.agent;
  });
