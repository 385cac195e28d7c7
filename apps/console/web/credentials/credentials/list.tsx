import type { OperationInput } from '@svc/client/client-types.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useState } from 'react';
import { useEnvironments } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import { getEnvironmentLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { usePages } from '../../data/use-pages.ts';
import type { Values } from '../../design/form.tsx';
import { Button, Text } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import type { Column } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { type Credential, formatSent } from './credential.ts';
import { Filter } from './filter.tsx';
import { CredentialStatus } from './status.tsx';

const create = (
  <Button component="a" href={buildConsolePath('newCredential')}>
    New credential
  </Button>
);

/** Secrets that the gateway adds to the calls of tools. */
export const Credentials = ({ session }: { readonly session: Session }): ReactNode => {
  const environments = useEnvironments() ?? [];
  const [filter, setFilter] = useState<Values>({});
  const list = usePages('listCredentials', { query: filter } as OperationInput<'listCredentials'>);
  const mayCreate = may(session, 'credential:create');
  const isFiltered = Object.keys(filter).length > 0;
  const columns: readonly Column<Credential>[] = [
    { name: 'Name', show: ({ name }) => <bdi>{name}</bdi> },
    { name: 'Status', show: (credential) => <CredentialStatus credential={credential} /> },
    { name: 'Sent as', show: formatSent },
    { name: 'Destinations', show: ({ destinations }) => destinations.join(', ') },
    { name: 'Used by', show: ({ tools, servers }) => [...tools, ...servers].join(', ') },
    { name: 'Environment', show: ({ environment_id }) => getEnvironmentLabel(environment_id, environments) },
    { name: 'Last used', show: ({ last_used_at }) => (last_used_at === null ? 'Not recently' : <Time at={last_used_at} />) },
  ];
  return (
    <ConsolePage title="Credentials" actions={mayCreate ? create : null}>
      <Text>The gateway adds these secrets to tool calls. Agents never see them, and they cannot be viewed again.</Text>
      {mayCreate ? null : <MissingPermission needs="credential:create" to="create credentials" />}
      <Filter environments={environments} onFilter={setFilter} />
      <ListTable
        label="Credentials"
        list={list}
        columns={columns}
        pathOf={({ id }) => buildConsolePath('credential', { credentialId: id })}
        empty={isFiltered ? 'No credentials match the filter.' : 'No credentials yet.'}
        emptyAction={mayCreate && !isFiltered ? create : null}
      />
    </ConsolePage>
  );
};
