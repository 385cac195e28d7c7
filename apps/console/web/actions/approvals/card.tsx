import { Text } from '@mantine/core';
import type { Uncounted } from '@svc/contract/actions/approval-shapes.ts';
import type { ReactNode } from 'react';
import { call } from '../../data/call.ts';
import type { Environment } from '../../data/environments.ts';
import type { Done } from '../../data/listing.tsx';
import type { Session } from '../../data/session.ts';
import { Facts } from '../../design/facts.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { shownJson } from '../../design/shown-json.ts';
import { may } from '../../layout/permitted.ts';
import { type Besides, Said } from './besides.tsx';
import { Decide } from './decide.tsx';
import { type Approval, nameOf, summaryOf } from './summary.tsx';

/** Why a vote does not count. */
const UNCOUNTED_WORDS: Readonly<Record<Uncounted, string>> = {
  WITHDRAWN: 'withdrawn',
  OTHER_WORDING: 'given for an earlier wording',
  NO_ACCESS: 'has no access any more',
  NO_PERMISSION: 'may not approve any more',
  BEHIND_REQUEST: 'is behind the request',
  BEHIND_AGENT: 'is behind the agent',
  NOT_REQUESTED: 'others are asked',
};

/** The request as it would run, and what others said of it. */
export type Detailed = Approval &
  Besides & {
    readonly wording: number;
    readonly parameters: Readonly<Record<string, unknown>>;
    readonly destination: string | null;
    readonly votes: readonly {
      readonly user_id: string;
      readonly user_name: string;
      readonly vote: string;
      readonly wording: number;
      readonly comment: string | null;
      readonly not_counted_because: Uncounted | null;
    }[];
  };

const Request = ({ detailed }: { readonly detailed: Detailed }): ReactNode => (
  <>
    {detailed.destination === null ? null : <Facts facts={[['Goes to', detailed.destination]]} />}
    <Text fw={600}>Arguments</Text>
    <pre className="request">{shownJson(detailed.parameters)}</pre>
    <Said besides={detailed} />
    {detailed.votes.map(({ user_id, user_name, vote, wording, comment, not_counted_because }) => (
      <Text key={`${user_id} ${wording}`}>
        <bdi>{user_name}</bdi> {vote === 'APPROVE' ? 'approves' : 'denies'}
        {not_counted_because === null ? '' : ` (does not count: ${UNCOUNTED_WORDS[not_counted_because]})`}
        {comment === null ? '' : ': '}
        <bdi>{comment}</bdi>
      </Text>
    ))}
  </>
);

type WithdrawProps = { readonly detailed: Detailed; readonly name: string; readonly session: Session; readonly done: Done };

/** Shown to a person whose vote counts, until the approval is used. */
const WithdrawVote = ({ detailed, name, session, done }: WithdrawProps): ReactNode => {
  const isOpen = detailed.status === 'PENDING' || detailed.status === 'APPROVED';
  const own = detailed.votes.find(
    ({ user_id, vote, not_counted_because }) => user_id === session.user?.id && vote === 'APPROVE' && not_counted_because === null,
  );
  if (!isOpen || own === undefined || !may(session, 'approval:approve')) return null;
  return (
    <Form<{ readonly status: string }>
      submit="Withdraw my vote"
      send={({ comment }) => call('POST', `/v1/approvals/${detailed.id}/withdraw`, comment === '' ? {} : { comment })}
      then={({ status }) =>
        done(status === 'PENDING' ? `Vote withdrawn, ${name}: it is pending.` : `Vote withdrawn, ${name}: it stays approved.`)
      }
      fields={(error) => <TextField error={error} name="comment" label="Reason to withdraw it" required={false} maxLength={1000} />}
    />
  );
};

type CardProps = {
  readonly approval: Detailed;
  readonly environments: readonly Environment[];
  readonly session: Session;
  readonly done: Done;
};

/** One held request with its arguments, the votes, and what the person may decide. */
export const Card = ({ approval, environments, session, done }: CardProps): ReactNode => (
  <>
    <Facts facts={summaryOf(approval, environments, true)} />
    <Request detailed={approval} />
    {approval.status === 'PENDING' ? (
      <Decide
        id={approval.id}
        name={nameOf(approval)}
        wording={approval.wording}
        parameters={approval.parameters}
        session={session}
        done={done}
      />
    ) : null}
    <WithdrawVote detailed={approval} name={nameOf(approval)} session={session} done={done} />
  </>
);
