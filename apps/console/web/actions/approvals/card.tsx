import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Environment } from '../../data/environments.ts';
import type { Done } from '../../data/listing.tsx';
import type { Session } from '../../data/session.ts';
import { Facts } from '../../design/facts.tsx';
import { shownJson } from '../../design/shown-json.ts';
import { type Besides, Said } from './besides.tsx';
import { Decide } from './decide.tsx';
import { type Approval, nameOf, summaryOf } from './summary.tsx';

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
  </>
);
