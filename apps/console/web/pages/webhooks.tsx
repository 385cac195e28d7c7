import { Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { may } from '../api/places.ts';
import type { Session } from '../api/session.ts';
import { Listing } from '../frame/listing.tsx';
import { SignedIn } from '../frame/signed-in.tsx';
import { Card } from './webhooks/card.tsx';
import { Create } from './webhooks/create.tsx';
import { Secret } from './webhooks/secret.tsx';
import type { Subscription, WithSecret } from './webhooks/subscription.ts';

/** Receivers that are told of events, and a new one. */
export const Webhooks = ({ session }: { readonly session: Session }): ReactNode => {
  const [made, setMade] = useState<WithSecret>();
  const [count, setCount] = useState(0);
  const onCreated = (subscription: WithSecret): void => {
    setMade(subscription);
    setCount(count + 1);
  };
  return (
    <SignedIn session={session} title="Webhooks">
      <Text>Each receiver is told of the events it names, with the rights of whoever made it or last changed it.</Text>
      {made ? <Secret key={made.id} of={made} onKept={() => setMade(undefined)} /> : null}
      <Listing<Subscription> key={count} label="Webhooks" path="/v1/webhooks" none="There is none.">
        {(one, done) => <Card subscription={one} session={session} done={done} />}
      </Listing>
      {may(session, 'webhook:create') ? (
        <>
          <Title order={2} size="h4">
            A new one
          </Title>
          <Create key={`new-${count}`} onCreated={onCreated} />
        </>
      ) : null}
    </SignedIn>
  );
};
