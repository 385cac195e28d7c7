import { Button, Text } from '@mantine/core';
import type { Uncounted } from '@svc/contract/actions/approval-shapes.ts';
import { type ReactNode, useState } from 'react';
import { type ApiError, call } from '../../api/call.ts';
import type { Environment } from '../../api/environments.ts';
import { may } from '../../api/places.ts';
import type { Session } from '../../api/session.ts';
import { Facts } from '../../frame/facts.tsx';
import { TextField } from '../../frame/fields.tsx';
import { Form } from '../../frame/form.tsx';
import type { Done } from '../../frame/listing.tsx';
import { Problem } from '../../frame/problem.tsx';
import { shownJson } from '../../frame/shown-json.ts';
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
type Detailed = Approval &
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
  readonly approval: Approval;
  readonly environments: readonly Environment[];
  readonly session: Session;
  readonly done: Done;
};

/** One held request. Nothing is decided before its arguments are shown. */
export const Card = ({ approval, environments, session, done }: CardProps): ReactNode => {
  const [detailed, setDetailed] = useState<Detailed>();
  const [error, setError] = useState<ApiError>();
  const open = async (): Promise<void> => {
    const answer = await call<Detailed>('GET', `/v1/approvals/${approval.id}`);
    setError(answer.ok ? undefined : answer.error);
    if (answer.ok) setDetailed(answer.body);
  };
  return (
    <>
      <Facts facts={summaryOf(approval, environments, detailed !== undefined)} />
      <Problem error={error} />
      {detailed ? (
        <>
          <Request detailed={detailed} />
          {detailed.status === 'PENDING' ? (
            <Decide
              id={approval.id}
              name={nameOf(approval)}
              wording={detailed.wording}
              parameters={detailed.parameters}
              session={session}
              done={done}
            />
          ) : null}
          <WithdrawVote detailed={detailed} name={nameOf(approval)} session={session} done={done} />
        </>
      ) : (
        <Button size="xs" aria-label={`Show details: ${nameOf(approval)}, ${approval.id}`} onClick={() => void open()}>
          Show details
        </Button>
      )}
    </>
  );
};
