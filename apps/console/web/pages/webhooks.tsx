import type { ReactNode } from 'react';
import { useEnvironments } from '../api/environments.ts';
import type { Session } from '../api/session.ts';
import { KeptList } from '../frame/kept-list.tsx';
import { Card } from './webhooks/card.tsx';
import { Create } from './webhooks/create.tsx';
import { Secret } from './webhooks/secret.tsx';
import type { Subscription, WithSecret } from './webhooks/subscription.ts';

/** Receivers that are told of events, and a new one. */
export const Webhooks = ({ session }: { readonly session: Session }): ReactNode => {
  const environments = useEnvironments();
  if (!environments) return null;
  return (
    <KeptList<Subscription, WithSecret>
      session={session}
      title="Webhooks"
      kind="webhook"
      about="Each receiver is told of the events it names, with the rights of whoever made it or last changed it."
      path="/v1/webhooks"
      makes="webhook:create"
      told={(made, letGo) => (made ? <Secret key={made.id} of={made} onKept={letGo} /> : null)}
      card={(one, done) => <Card subscription={one} environments={environments} session={session} done={done} />}
      create={(onCreated) => <Create environments={environments} onCreated={onCreated} />}
    />
  );
};
