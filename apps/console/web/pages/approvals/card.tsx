import { Button, Text } from '@mantine/core';
import { amountText } from '@svc/contract/tables/currencies.ts';
import { type ReactNode, useState } from 'react';
import { type ApiError, call } from '../../api/call.ts';
import type { Session } from '../../api/session.ts';
import { Facts } from '../../frame/facts.tsx';
import type { Done } from '../../frame/listing.tsx';
import { Problem } from '../../frame/problem.tsx';
import { shownJson } from '../../frame/shown-json.ts';
import { Time } from '../../frame/time.tsx';
import { type Besides, Said } from './besides.tsx';
import { Decide } from './decide.tsx';

export type Approval = {
  readonly id: string;
  readonly agent_name: string;
  readonly tool: string;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly reason: string;
  readonly quorum: number;
  readonly approvals_given: number;
  readonly approver_roles: readonly string[];
  readonly requested_at: string;
  readonly expires_at: string;
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
    }[];
  };

const votesNeeded = ({ quorum, approver_roles }: Approval): string =>
  `${quorum} ${quorum === 1 ? 'person' : 'people'}${approver_roles.length > 0 ? `, among them ${approver_roles.join(', ')} (an owner counts as each)` : ''}`;

/** As people write it; one without a currency as it was counted. */
const amountOf = ({ amount, currency }: Approval): readonly string[] =>
  amount === null ? [] : [amountText(amount, currency) ?? `${amount}, in the smallest unit`];

/** What is decided, told of it once it is gone from the list. */
const nameOf = (approval: Approval): string => [`${approval.tool} by ${approval.agent_name}`, ...amountOf(approval)].join(', ');

const summaryOf = (approval: Approval) =>
  [
    ['Who asks', approval.agent_name],
    ['What', approval.tool],
    ...amountOf(approval).map((amount) => ['Amount', amount] as const),
    ['Why it waits', approval.reason],
    ['Asked', <Time key="asked" at={approval.requested_at} />],
    ['Until', <Time key="until" at={approval.expires_at} />],
    ['Needs', `${votesNeeded(approval)}; ${approval.approvals_given} so far`],
    ['Id', approval.id],
  ] as const;

const Request = ({ detailed }: { readonly detailed: Detailed }): ReactNode => (
  <>
    {detailed.destination === null ? null : <Facts facts={[['Goes to', detailed.destination]]} />}
    <Text fw={600}>With</Text>
    <pre className="request">{shownJson(detailed.parameters)}</pre>
    <Said besides={detailed} />
    {detailed.votes.map(({ user_id, user_name, vote, wording, comment }) => (
      <Text key={`${user_id} ${wording}`}>
        <bdi>{user_name}</bdi> {vote === 'APPROVE' ? 'approves' : 'denies'}
        {wording === detailed.wording ? '' : ' an earlier wording'}
        {comment === null ? '' : ': '}
        <bdi>{comment}</bdi>
      </Text>
    ))}
  </>
);

type CardProps = { readonly approval: Approval; readonly session: Session; readonly done: Done };

/** One held request. Nothing is decided before its arguments are shown. */
export const Card = ({ approval, session, done }: CardProps): ReactNode => {
  const [detailed, setDetailed] = useState<Detailed>();
  const [error, setError] = useState<ApiError>();
  const open = async (): Promise<void> => {
    const answer = await call<Detailed>('GET', `/v1/approvals/${approval.id}`);
    setError(answer.ok ? undefined : answer.error);
    if (answer.ok) setDetailed(answer.body);
  };
  return (
    <>
      <Facts facts={summaryOf(approval)} />
      <Problem error={error} />
      {detailed ? (
        <>
          <Request detailed={detailed} />
          <Decide
            id={approval.id}
            name={nameOf(approval)}
            wording={detailed.wording}
            parameters={detailed.parameters}
            session={session}
            done={done}
          />
        </>
      ) : (
        <Button size="xs" aria-label={`Look at it: ${approval.tool}, ${approval.agent_name}`} onClick={() => void open()}>
          Look at it
        </Button>
      )}
    </>
  );
};
