import { Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { may } from '../api/places.ts';
import type { Session } from '../api/session.ts';
import { Listing } from '../frame/listing.tsx';
import { SignedIn } from '../frame/signed-in.tsx';
import { Card } from './notification-channels/card.tsx';
import type { Channel } from './notification-channels/channel.ts';
import { Create } from './notification-channels/create.tsx';

/** Channels of chats that notifications are sent to, and a new one. */
export const NotificationChannels = ({ session }: { readonly session: Session }): ReactNode => {
  const [made, setMade] = useState<Channel>();
  const [count, setCount] = useState(0);
  const onCreated = (channel: Channel): void => {
    setMade(channel);
    setCount(count + 1);
  };
  return (
    <SignedIn session={session} title="Notification channels">
      <Text>
        Each channel of a chat is sent the kinds of notifications it names, as far as whoever made it or last changed it may read them.
      </Text>
      <p role="status">{made ? `${made.name} is there. Send it a test.` : ''}</p>
      <Listing<Channel> key={count} label="Notification channels" path="/v1/notification-channels" none="There is none.">
        {(one, done) => <Card channel={one} session={session} done={done} />}
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
