import { Button, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type ApiError, call } from '../../data/call.ts';
import type { Environment } from '../../data/environments.ts';
import type { Session } from '../../data/session.ts';
import { Facts } from '../../design/facts.tsx';
import type { Done } from '../../data/listing.tsx';
import { Problem } from '../../design/problem.tsx';
import { shownJson } from '../../design/shown-json.ts';
import { type Besides, Said } from './besides.tsx';
import { Decide } from './decide.tsx';
import { type Approval, nameOf, summaryOf } from './summary.tsx';

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

const Request = ({ detailed }: { readonly detailed: Detailed }): ReactNode => (
  <>
    {detailed.destination === null ? null : <Facts facts={[['Goes to', detailed.destination]]} />}
    <Text fw={600}>Arguments</Text>
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
        </>
      ) : (
        <Button size="xs" aria-label={`Show details: ${nameOf(approval)}, ${approval.id}`} onClick={() => void open()}>
          Show details
        </Button>
      )}
    </>
  );
};
