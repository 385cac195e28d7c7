import type { Uncounted } from '@svc/contract/actions/approval-shapes.ts';
import type { ReactNode } from 'react';
import { Ago } from '../../design/ago.tsx';
import type { ApprovalDetails } from './summary.tsx';

/** Reasons why a vote does not count. */
const UNCOUNTED_WORDS: Readonly<Record<Uncounted, string>> = {
  WITHDRAWN: 'withdrawn',
  OTHER_WORDING: 'given for earlier arguments',
  NO_ACCESS: 'no longer has access',
  NO_PERMISSION: 'may no longer approve',
  BEHIND_REQUEST: 'made the request',
  BEHIND_AGENT: 'manages the agent',
  NOT_REQUESTED: 'not requested from this person',
};

/** The votes, oldest first. */
export const Votes = ({ approval: { votes } }: { readonly approval: ApprovalDetails }): ReactNode =>
  votes.length === 0 ? (
    <p className="quiet-text">No votes yet.</p>
  ) : (
    votes.map(({ user_id, user_name, vote, wording, comment, voted_at, not_counted_because }) => (
      <p key={`${user_id} ${wording}`}>
        <bdi>{user_name}</bdi> {vote === 'APPROVE' ? 'approves' : 'denies'}
        {not_counted_because === null ? '' : ` (does not count: ${UNCOUNTED_WORDS[not_counted_because]})`}
        {comment === null ? '' : ': '}
        <bdi>{comment}</bdi>{' '}
        <span className="quiet-text">
          <Ago at={voted_at} />
        </span>
      </p>
    ))
  );
