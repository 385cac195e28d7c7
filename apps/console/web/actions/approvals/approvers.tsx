import type { OperationResult } from '@svc/client/client-types.ts';
import type { ReactNode } from 'react';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import type { ApprovalDetails } from './summary.tsx';

type Approver = OperationResult<'listApprovers'>[number];

const BECAUSE: Readonly<Record<NonNullable<Approver['because']>, string>> = {
  BEHIND_REQUEST: 'made the request',
  BEHIND_AGENT: 'manages the agent',
  VOTED: 'has voted',
  REASSIGNED: 'reassigned the decision',
};

type ApproversProps = { readonly approval: ApprovalDetails; readonly session: Session };

/** The people whose role lets them decide, and who of them does not. */
export const Approvers = ({ approval, session }: ApproversProps): ReactNode => {
  const { data, error } = useOperation('listApprovers', { params: { approvalId: approval.id } });
  if (error) return <p>{error.message}</p>;
  if (data?.length === 0) return <p>No member has a role that may decide.</p>;
  return (
    <ul className="rows">
      {data?.map(({ user_id, user_name, role, because }) => (
        <li key={user_id}>
          <span>
            <bdi>{user_name}</bdi>
            {user_id === session.user?.id ? ' (you)' : ''}
          </span>
          <span className="quiet-text">{because === null ? role : BECAUSE[because]}</span>
        </li>
      ))}
    </ul>
  );
};
