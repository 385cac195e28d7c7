import type { Change } from '@svc/postgres/change/change.ts';
import { cancelApprovalsOf, type EndingOfMany } from './end-agents.ts';

/** Withdraws all that stopped agents asked of people, in this change: they ask for nothing meanwhile, so what there is does not grow. */
export const withdrawApprovalsOf = async (
  change: Change<'approval.cancelled'>,
  agentIds: readonly string[],
  ending: EndingOfMany,
): Promise<void> => {
  while (await cancelApprovalsOf(change, agentIds, ending, 'AGENT_NOT_OPERATIONAL'));
};
