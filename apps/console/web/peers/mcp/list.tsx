import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useEnvironments } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import { getEnvironmentLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { usePages } from '../../data/use-pages.ts';
import { Button, Text } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import type { Column } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { formatTools, type McpServer } from './server.ts';
import { ServerStatus } from './status.tsx';

const register = (
  <Button component="a" href={buildConsolePath('newMcpServer')}>
    Register a server
  </Button>
);

const LastListing = ({ listing_checked_at, listing_failure }: McpServer): ReactNode => (
  <>
    {listing_checked_at === null ? 'Never' : <Time at={listing_checked_at} />}
    {listing_failure === null ? null : ' · the last attempt failed'}
  </>
);

/** Servers whose tools agents use through the gateway. */
export const McpServers = ({ session }: { readonly session: Session }): ReactNode => {
  const environments = useEnvironments() ?? [];
  const list = usePages('listMcpServers', {});
  const mayRegister = may(session, 'mcp:register');
  const columns: readonly Column<McpServer>[] = [
    { name: 'Name', show: ({ name }) => <bdi>{name}</bdi> },
    { name: 'Status', show: ({ status }) => <ServerStatus status={status} /> },
    { name: 'Tools', show: formatTools },
    { name: 'Last listing', show: LastListing },
    { name: 'Environment', show: ({ environment_id }) => getEnvironmentLabel(environment_id, environments) },
  ];
  return (
    <ConsolePage title="MCP servers" actions={mayRegister ? register : null}>
      <Text>Agents call the tools of these servers through the gateway, under your policies. The gateway holds the credentials.</Text>
      {mayRegister ? null : <MissingPermission needs="mcp:register" to="register MCP servers" />}
      <ListTable
        label="MCP servers"
        list={list}
        columns={columns}
        pathOf={({ id }) => buildConsolePath('mcpServer', { serverId: id })}
        empty="No MCP servers yet. Register the URL of one, discover its tools, and authorize those that agents may use. Until then no agent can call it."
        emptyAction={mayRegister ? register : null}
      />
    </ConsolePage>
  );
};
