import { type ReactNode, useState } from 'react';
import { useEnvironments } from '../../data/environments.ts';
import { ResourceList } from '../../data/resource-list.tsx';
import type { Session } from '../../data/session.ts';
import type { Values } from '../../design/form.tsx';
import { StatusMessage } from '../../design/status-message.tsx';
import { Card } from './card.tsx';
import { Create } from './create.tsx';
import type { Credential } from './credential.ts';
import { Filter } from './filter.tsx';

const ABOUT =
  'Secrets that the gateway puts on the calls of tools: each is sent to the destinations and for the tools that it names alone. No agent has one, and none is shown again.';
const PATH = '/v1/credentials';

/** Secrets of services that tools call, and a new one. */
export const Credentials = ({ session }: { readonly session: Session }): ReactNode => {
  const environments = useEnvironments();
  const [filter, setFilter] = useState<Values>({});
  if (!environments) return null;
  const query = String(new URLSearchParams(filter));
  return (
    <ResourceList<Credential>
      session={session}
      title="Credentials"
      kind="credential"
      about={ABOUT}
      path={query === '' ? PATH : `${PATH}?${query}`}
      isNarrowed={query !== ''}
      filter={<Filter environments={environments} onFilter={setFilter} />}
      makes="credential:create"
      told={(made) => (made ? <StatusMessage key={made.id}>{made.name} is stored. Nobody is shown its secret again.</StatusMessage> : null)}
      card={(one, done) => <Card credential={one} environments={environments} session={session} done={done} />}
      create={(onCreated) => <Create environments={environments} onCreated={onCreated} />}
    />
  );
};
