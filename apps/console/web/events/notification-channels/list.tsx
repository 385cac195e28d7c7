import type { ReactNode } from 'react';
import { useEnvironments } from '../../data/environments.ts';
import { ResourceList } from '../../data/resource-list.tsx';
import type { Session } from '../../data/session.ts';
import { StatusMessage } from '../../design/status-message.tsx';
import { Card } from './card.tsx';
import type { Channel } from './channel.ts';
import { Create } from './create.tsx';

/** Channels of chats that notifications are sent to, and a new one. */
export const NotificationChannels = ({ session }: { readonly session: Session }): ReactNode => {
  const environments = useEnvironments();
  if (!environments) return null;
  return (
    <ResourceList<Channel>
      session={session}
      title="Notification channels"
      kind="notification channel"
      about="Each channel of a chat is sent the kinds of notifications it names, as far as whoever made it or last changed it may read them."
      path="/v1/notification-channels"
      makes="webhook:create"
      told={(made) => (made ? <StatusMessage key={made.id}>{made.name} is there. Send it a test.</StatusMessage> : null)}
      card={(one, done) => <Card channel={one} environments={environments} session={session} done={done} />}
      create={(onCreated) => <Create environments={environments} onCreated={onCreated} />}
    />
  );
};
