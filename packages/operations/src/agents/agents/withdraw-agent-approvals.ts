import type { Change } from '@svc/postgres/change/change.ts';
import { cancelAgentApprovals, type EndingOfMany } from './end-agents.ts';

/** Withdraws all requests of stopped agents in this change: they make no new ones, so the number does not grow. */
export const withdrawAgentApprovals = async (
  change: Change<'approval.cancelled'>,
  agentIds: readonly string[],
  ending: EndingOfMany,
): Promise<void> => {
  while (await cancelAgentApprovals(change, agentIds, ending, 'AGENT_NOT_OPERATIONAL'));
};
