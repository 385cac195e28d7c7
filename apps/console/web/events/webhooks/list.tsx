import type { ReactNode } from 'react';
import { useEnvironments } from '../../data/environments.ts';
import { ResourceList } from '../../data/resource-list.tsx';
import type { Session } from '../../data/session.ts';
import { Card } from './card.tsx';
import { Create } from './create.tsx';
import { Secret } from './secret.tsx';
import type { Subscription, WithSecret } from './subscription.ts';

/** Receivers that are told of events, and a new one. */
export const Webhooks = ({ session }: { readonly session: Session }): ReactNode => {
  const environments = useEnvironments();
  if (!environments) return null;
  return (
    <ResourceList<Subscription, WithSecret>
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
