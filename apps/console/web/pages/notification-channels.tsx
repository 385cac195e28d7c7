import type { ReactNode } from 'react';
import { useEnvironments } from '../api/environments.ts';
import type { Session } from '../api/session.ts';
import { KeptList } from '../frame/kept-list.tsx';
import { Said } from '../frame/said.tsx';
import { Card } from './notification-channels/card.tsx';
import type { Channel } from './notification-channels/channel.ts';
import { Create } from './notification-channels/create.tsx';

/** Channels of chats that notifications are sent to, and a new one. */
export const NotificationChannels = ({ session }: { readonly session: Session }): ReactNode => {
  const environments = useEnvironments();
  if (!environments) return null;
  return (
    <KeptList<Channel>
      session={session}
      title="Notification channels"
      kind="notification channel"
      about="Each channel of a chat is sent the kinds of notifications it names, as far as whoever made it or last changed it may read them."
      path="/v1/notification-channels"
      makes="webhook:create"
      told={(made) => (made ? <Said key={made.id}>{made.name} is there. Send it a test.</Said> : null)}
      card={(one, done) => <Card channel={one} environments={environments} session={session} done={done} />}
      create={(onCreated) => <Create environments={environments} onCreated={onCreated} />}
    />
  );
};
