import type { Change } from '@svc/postgres/change/change.ts';
import { cancelApprovalsOf, type EndingOfMany } from './end-agents.ts';

/** Withdraws all requests of stopped agents in this change: they make no new ones, so the number does not grow. */
export const withdrawApprovalsOf = async (
  change: Change<'approval.cancelled'>,
  agentIds: readonly string[],
  ending: EndingOfMany,
): Promise<void> => {
  while (await cancelApprovalsOf(change, agentIds, ending, 'AGENT_NOT_OPERATIONAL'));
};
