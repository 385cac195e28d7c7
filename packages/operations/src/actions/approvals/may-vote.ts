import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { refuseApproval } from '@svc/domain/actions/approvals/vote-refusal.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { type Ballot, readApproval } from './take-vote.ts';

/**
 * Returns why a person may not approve the current wording. Checked before expensive work is done for them, and again when the vote is
 * written.
 */
export const mayVote = async (
  tx: TenantTransaction,
  ballot: Ballot,
): Promise<Refusal<'NOT_FOUND'> | NonNullable<ReturnType<typeof refuseApproval>> | undefined> => {
  const read = await readApproval(tx, ballot);
  if (isRefusal(read)) return read;
  return refuseApproval({ ...read.votedOn, voters: new Set() }, read.voter, ballot.now);
};
