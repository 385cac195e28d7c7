import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useEnvironments } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import { getEnvironmentLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { formatDrawn } from '../../data/shown-json.ts';
import { usePages } from '../../data/use-pages.ts';
import { Button, Text } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import type { Column } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { type A2aConnection, DIRECTION_NAMES } from './connection.ts';
import { ConnectionStatus } from './status.tsx';

const register = (
  <Button component="a" href={buildConsolePath('newA2aConnection')}>
    Register a connection
  </Button>
);

/** Remote agents that agents send messages to through the gateway. */
export const A2aConnections = ({ session }: { readonly session: Session }): ReactNode => {
  const environments = useEnvironments() ?? [];
  const list = usePages('listA2aConnections', {});
  const mayRegister = may(session, 'a2a:connect');
  const columns: readonly Column<A2aConnection>[] = [
    { name: 'Name', show: ({ name }) => <bdi>{name}</bdi> },
    { name: 'Status', show: ({ status }) => <ConnectionStatus status={status} /> },
    { name: 'Direction', show: ({ direction }) => DIRECTION_NAMES[direction] },
    { name: 'Agent', show: ({ card }) => (card === null ? 'Not known yet' : formatDrawn(card.name)) },
    { name: 'Verified', show: ({ verified_at }) => (verified_at === null ? 'Never' : <Time at={verified_at} />) },
    { name: 'Environment', show: ({ environment_id }) => getEnvironmentLabel(environment_id, environments) },
  ];
  return (
    <ConsolePage title="A2A connections" actions={mayRegister ? register : null}>
      <Text>Messages to and from these remote agents go through the gateway, under your policies.</Text>
      {mayRegister ? null : <MissingPermission needs="a2a:connect" to="register A2A connections" />}
      <ListTable
        label="A2A connections"
        list={list}
        columns={columns}
        pathOf={({ id }) => buildConsolePath('a2aConnection', { a2aConnectionId: id })}
        empty="No A2A connections yet. Register the agent card of a partner with a key that you got from the partner, and verify it. Until then nothing is sent."
        emptyAction={mayRegister ? register : null}
      />
    </ConsolePage>
  );
};
