import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { agentTransition } from '@svc/domain/agents/agents/lifecycle.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { passportEvent, reissuePassport } from '@svc/operations/agents/agents/issue-passport.ts';
import { findAgent, lockAgent } from '@svc/postgres/agents/agents/agents.ts';
import { findCurrentPassport } from '@svc/postgres/agents/agents/passports.ts';
import type { ControlDeps } from '../../deps.ts';

/** A new version of the passport for another full term, under the key the agent has; its sessions go on. */
export const renewPassport: Handler<Endpoints['renewPassport'], ControlDeps> = (call, deps) =>
  call.change(async ({ tx, emit }) => {
    const { organization_id } = call.scope;
    const locked = await lockAgent(tx, organization_id, call.params.agentId);
    const before = locked && (await findAgent(tx, organization_id, locked.id));
    if (!before) return call.refuse('NOT_FOUND');
    const transition = agentTransition('renew_passport', before.status);
    if (isRefusal(transition)) return transition;
    const { agent, passport } = await reissuePassport(tx, deps, organization_id, before, call.now);
    emit('passport.issued', passportEvent(agent, passport, 'renewal', call.body.reason));
    return (await findCurrentPassport(tx, organization_id, agent.id)) ?? call.refuse('NOT_FOUND');
  });
