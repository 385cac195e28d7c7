import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { usePages } from '../../data/use-pages.ts';
import { Button, Text } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import type { Column } from '../../design/table.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { KIND_NAMES, PROVIDER_NAMES, ProviderPill, type TrustProvider } from './trust-words.tsx';

const register = (
  <Button component="a" href={buildConsolePath('newTrustProvider')}>
    Register a provider
  </Button>
);

const COLUMNS: readonly Column<TrustProvider>[] = [
  { name: 'Name', show: ({ name }) => <bdi>{name}</bdi> },
  { name: 'Status', show: ({ status }) => <ProviderPill status={status} /> },
  { name: 'Proof', show: ({ kind }) => PROVIDER_NAMES[kind] },
  { name: 'Highest level', show: ({ max_level }) => max_level },
  { name: 'Evidence', show: ({ evidence_kinds }) => evidence_kinds.map((kind) => KIND_NAMES[kind]).join(', ') },
];

/** Providers whose evidence about agents counts. */
export const TrustProviders = ({ session }: { readonly session: Session }): ReactNode => {
  const list = usePages('listTrustProviders', {});
  const mayRegister = may(session, 'trust:update');
  return (
    <ConsolePage title="Trust" actions={mayRegister ? register : null}>
      <Text>Providers vouch for agents. The evidence of an agent is on the page of the agent.</Text>
      {mayRegister ? null : <MissingPermission needs="trust:update" to="register providers" />}
      <ListTable
        label="Providers of trust evidence"
        list={list}
        columns={COLUMNS}
        pathOf={({ id }) => buildConsolePath('trustProvider', { trustProviderId: id })}
        empty="No providers yet. Register a key of a reviewer, an identity of a signing service, or the statements of people."
        emptyAction={mayRegister ? register : null}
      />
    </ConsolePage>
  );
};
