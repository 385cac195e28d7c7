import { Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { MissingPermission } from '../design/missing-permission.tsx';
import { ConsolePage } from '../layout/console-page.tsx';
import { may } from '../layout/permitted.ts';
import { type Done, Listing } from './listing.tsx';
import type { Session } from './session.ts';

type ResourceListProps<One, Made> = {
  readonly session: Session;
  readonly title: string;
  /** What one of them is called. */
  readonly kind: string;
  readonly about: string;
  readonly path: string;
  /** By which the list is narrowed. */
  readonly filter?: ReactNode;
  readonly isNarrowed?: boolean;
  /** The permission to make one. */
  readonly makes: string;
  /** What is said of one that was just made, until it is let go. */
  readonly told: (made: Made | undefined, letGo: () => void) => ReactNode;
  readonly card: (one: One, done: Done) => ReactNode;
  readonly create: (onCreated: (made: Made) => void) => ReactNode;
};

/** Of as many as there may be. */
const SOME = 25;

/** A page of things of one kind, each with what can be done about it, and a form for a new one. */
export const ResourceList = <One extends { readonly id: string }, Made = One>(props: ResourceListProps<One, Made>): ReactNode => {
  const { session, title, kind, about, path, filter, isNarrowed = false, makes, told, card, create } = props;
  const [made, setMade] = useState<Made>();
  const [count, setCount] = useState(0);
  const onCreated = (one: Made): void => {
    setMade(one);
    setCount(count + 1);
  };
  return (
    <ConsolePage title={title}>
      <Text>{about}</Text>
      {told(made, () => setMade(undefined))}
      {filter}
      <Listing<One>
        key={`${count} ${path}`}
        label={title}
        path={path}
        none={isNarrowed ? `No ${kind} matches.` : `No ${kind} yet.`}
        some={SOME}
        isWhole
      >
        {card}
      </Listing>
      {may(session, makes) ? (
        <section key={`new-${count}`}>
          <Title order={2} size="h4">
            Add a {kind}
          </Title>
          {create(onCreated)}
        </section>
      ) : (
        <MissingPermission needs={makes} does="add none here" />
      )}
    </ConsolePage>
  );
};
