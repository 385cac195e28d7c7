import { Text } from '@mantine/core';
import type { Uncounted } from '@svc/contract/actions/approval-shapes.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import type { Environment } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { Facts } from '../../design/facts.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { shownJson } from '../../design/shown-json.ts';
import { Decide } from './decide.tsx';
import { History } from './history.tsx';
import { type Approval, nameOf, summaryOf } from './summary.tsx';

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

const Request = ({ approval }: { readonly approval: Approval }): ReactNode => (
  <>
    <Text fw={600}>Arguments</Text>
    <pre className="request">{shownJson(approval.parameters)}</pre>
    <History approval={approval} />
    {approval.votes.map(({ user_id, user_name, vote, wording, comment, not_counted_because }) => (
      <Text key={`${user_id} ${wording}`}>
        <bdi>{user_name}</bdi> {vote === 'APPROVE' ? 'approves' : 'denies'}
        {not_counted_because === null ? '' : ` (does not count: ${UNCOUNTED_WORDS[not_counted_because]})`}
        {comment === null ? '' : ': '}
        <bdi>{comment}</bdi>
      </Text>
    ))}
  </>
);

type WithdrawProps = {
  readonly approval: Approval;
  readonly name: string;
  readonly session: Session;
  readonly done: (text: string) => void;
};

/** Shown to a person whose vote counts, until the approval is used. */
const WithdrawVote = ({ approval, name, session, done }: WithdrawProps): ReactNode => {
  const isOpen = approval.status === 'PENDING' || approval.status === 'APPROVED';
  const own = approval.votes.find(
    ({ user_id, vote, not_counted_because }) => user_id === session.user?.id && vote === 'APPROVE' && not_counted_because === null,
  );
  if (!isOpen || own === undefined || !may(session, 'approval:approve')) return null;
  return (
    <Form
      submit="Withdraw vote"
      send={({ comment = '' }) =>
        client.request('withdrawVote', { params: { approvalId: approval.id }, body: comment === '' ? {} : { comment } })
      }
      then={({ status }) =>
        done(status === 'PENDING' ? `Vote withdrawn: ${name} waits for approval again.` : `Vote withdrawn: ${name} stays approved.`)
      }
      fields={(error) => <TextField error={error} name="comment" label="Reason" required={false} maxLength={1000} />}
    />
  );
};

type CardProps = {
  readonly approval: Approval;
  readonly environments: readonly Environment[];
  readonly session: Session;
  readonly done: (text: string) => void;
};

/** One held request with its arguments, the votes, and what the person may decide. */
export const Card = ({ approval, environments, session, done }: CardProps): ReactNode => (
  <>
    <Facts facts={summaryOf(approval, environments)} />
    <Request approval={approval} />
    {approval.status === 'PENDING' ? <Decide approval={approval} name={nameOf(approval)} session={session} done={done} /> : null}
    <WithdrawVote approval={approval} name={nameOf(approval)} session={session} done={done} />
  </>
);
