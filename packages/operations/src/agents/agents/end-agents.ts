import { LIMITS } from '@svc/contract/tables/limits.ts';
import { cancelApprovals } from '@svc/postgres/actions/approvals/cancel-approvals.ts';
import { type LockedAgent, retireAgentKeys } from '@svc/postgres/agents/agents/agents.ts';
import { listCurrentPassports } from '@svc/postgres/agents/agents/passports.ts';
import {
  endTaken,
  listDelegationAgents,
  lockAgentDelegations,
  type TakenDelegations,
} from '@svc/postgres/agents/delegations/end-delegations.ts';
import { holdEpochs, moveAgents } from '@svc/postgres/agents/fleet/lock-agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { digestRecords } from '../../events/audit-log/digest-records.ts';
import { recordRevoked } from '../delegations/tell-of-ended.ts';

/** Maximum number of approvals, and of delegations, that end in one change. */
const BATCH_MAX = LIMITS.bulk.endedTogetherMax;

export type EndingOfMany = { readonly scope: TenantScope; readonly reason: string; readonly now: Date };

/** Withdraws open approvals of agents, a batch at a time. Returns true if there may be more. */
export const cancelAgentApprovals = async (
  { tx, emit }: Change<'approval.cancelled'>,
  agentIds: readonly string[],
  { scope, reason, now }: EndingOfMany,
  code = 'AGENT_IDENTITY_REVOKED',
): Promise<boolean> => {
  const as = { code, now, limit: BATCH_MAX };
  const cancelled = await cancelApprovals(tx, scope.organization_id, { column: 'agent_id', id: agentIds }, as);
  const ids = cancelled.map(({ action_id }) => action_id);
  const digests = await digestRecords(tx, scope.organization_id, 'action', ids, ['outcome_digest']);
  for (const approval of cancelled) {
    const { action_id, agent_id, was, votes } = approval;
    const states = { before: { status: was }, after: { status: 'CANCELLED' } };
    emit('approval.cancelled', {
      ...about.approval(approval),
      data: { action_id, agent_id, votes, ...states, reason, ...digests(action_id) },
    });
  }
  return cancelled.length === BATCH_MAX;
};

const takeBatch = ({ tx }: Change<never>, agentIds: readonly string[], { scope }: EndingOfMany): Promise<TakenDelegations> =>
  inWholeOrganization(tx, scope, () => lockAgentDelegations(tx, scope.organization_id, agentIds, BATCH_MAX));

const revokeTaken = async (
  { tx, emit }: Change<'delegation.revoked'>,
  taken: TakenDelegations,
  { scope, reason, now }: EndingOfMany,
): Promise<boolean> => {
  const end = { status: 'REVOKED', reason, now } as const;
  const ended = await inWholeOrganization(tx, scope, () => endTaken(tx, scope.organization_id, taken, end));
  const agents = listDelegationAgents(taken);
  for (const [because, theirs] of Map.groupBy(ended, ({ id }) => agents.get(id)))
    recordRevoked(emit, theirs, because === undefined ? { reason } : { reason, because });
  return ended.length > 0;
};

/** Ends the delegations to and from agents, with all below, a batch at a time. Returns true if there may be more. */
export const revokeAgentDelegations = async (
  change: Change<'delegation.revoked'>,
  agentIds: readonly string[],
  ending: EndingOfMany,
): Promise<boolean> => await revokeTaken(change, await takeBatch(change, agentIds, ending), ending);

export type AgentEndEvent = 'agent.revoked' | 'passport.revoked' | 'approval.cancelled' | 'delegation.revoked';

/**
 * Ends agents that this transaction has locked: no session, open approval, delegation, passport or use of their keys outlives them. A batch
 * of approvals and delegations ends with them, and the rest by `cancelAgentApprovals` and `revokeAgentDelegations`, repeated while there may be
 * more.
 */
export const endAgents = async (change: Change<AgentEndEvent>, locked: readonly LockedAgent[], ending: EndingOfMany): Promise<void> => {
  const { tx, emit } = change;
  const { scope, reason, now } = ending;
  const { organization_id } = scope;
  const ids = locked.map(({ id }) => id);
  // Locked before anything is written: writing locks epochs, and a transaction that holds an epoch must not wait for a row.
  const delegations = await takeBatch(change, ids, ending);
  await inWholeOrganization(tx, scope, () => holdEpochs(tx, organization_id, ids));
  await moveAgents(tx, organization_id, ids, { status: 'REVOKED', killsSessions: true }, now);
  await retireAgentKeys(tx, organization_id, ids, now);
  const passports = new Map((await listCurrentPassports(tx, organization_id, ids)).map((each) => [each.agent_id, each]));
  for (const agent of locked) {
    const states = { before: { status: agent.status }, after: { status: 'REVOKED' } };
    emit('agent.revoked', { ...about.agent(agent), data: { ...states, reason } });
    const passport = passports.get(agent.id);
    if (!passport) continue;
    const data = { agent_id: agent.id, version: passport.version, reason };
    emit('passport.revoked', { ...about.passport({ id: passport.id }, agent), data });
  }
  await cancelAgentApprovals(change, ids, ending);
  await revokeTaken(change, delegations, ending);
};
