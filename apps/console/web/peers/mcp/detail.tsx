import { buildConsolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { type LabelledEnvironment, useEnvironments } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import { getEnvironmentLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { formatDrawn } from '../../data/shown-json.ts';
import { useOperation } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { Button, Text, Title } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import type { Column } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { Actions } from './actions.tsx';
import { Connect } from './connect.tsx';
import { NextStep } from './next-step.tsx';
import { formatInfo, formatProtocol, type McpServer, type McpTool, OFFER_KINDS, refreshServers } from './server.ts';
import { Findings, ServerStatus, ToolStatus } from './status.tsx';

const buildFacts = (server: McpServer, environments: readonly LabelledEnvironment[]) => {
  const { status, transport, credential_id, capability_prefix, listing_checked_at, settings, environment_id } = server;
  const info = formatInfo(server);
  return [
    ['Status', <ServerStatus key="status" status={status} />],
    ['URL', transport.url],
    [
      'Credential',
      credential_id === null ? (
        'None'
      ) : (
        <a key="credential" href={buildConsolePath('credential', { credentialId: credential_id })}>
          {credential_id}
        </a>
      ),
    ],
    ['Capabilities', `${capability_prefix}.…`],
    ['Last listing', listing_checked_at === null ? 'Never' : <Time key="listed" at={listing_checked_at} />],
    ['Protocol', formatProtocol(server)],
    ...(info === undefined ? [] : [['Software', formatDrawn(info)] as const]),
    ['Times', `${settings.timeout_ms / 1_000} s for a call, ${settings.hold_seconds} s for an approval`],
    ['Environment', getEnvironmentLabel(environment_id, environments)],
    ['Id', server.id],
  ] as const;
};

const COLUMNS: readonly Column<McpTool>[] = [
  { name: 'Name', show: ({ name }) => <bdi>{formatDrawn(name)}</bdi> },
  { name: 'Kind', show: ({ kind }) => OFFER_KINDS[kind] },
  { name: 'Status', show: ({ status }) => <ToolStatus status={status} /> },
  { name: 'Findings', show: ({ findings }) => <Findings findings={findings} /> },
  { name: 'Governed tool', show: ({ tool_name }) => tool_name ?? 'None yet' },
  { name: 'Last seen', show: ({ last_seen_at }) => <Time at={last_seen_at} /> },
];

const Tools = ({ server: { id, listing_checked_at } }: { readonly server: McpServer }): ReactNode => {
  const list = usePages('listMcpTools', { params: { serverId: id } });
  return (
    <section aria-labelledby="tools-title">
      <Title id="tools-title" order={2} size="h4">
        Tools, resources and prompts
      </Title>
      <ListTable
        label="Tools"
        list={list}
        columns={COLUMNS}
        pathOf={({ id: mcpToolId }) => buildConsolePath('mcpTool', { serverId: id, mcpToolId })}
        empty={
          listing_checked_at === null
            ? 'Not listed yet. Discover now shows the tools that the server offers; none can be called before you authorize it.'
            : 'The server offers no tools.'
        }
      />
    </section>
  );
};

type InstructionsProps = { readonly server: McpServer; readonly mayAccept: boolean; readonly done: (text: string) => void };

/** Instructions that the server gives to models. Clients get it once a person has accepted it. */
const Instructions = ({ server, mayAccept, done }: InstructionsProps): ReactNode => {
  const { id, name, instructions, instructions_pin, instructions_accepted } = server;
  if (instructions === null) return null;
  return (
    <section aria-labelledby="instructions-title">
      <Title id="instructions-title" order={2} size="h4">
        Instructions of the server
      </Title>
      <Text>
        {instructions_accepted ? 'Clients get these instructions.' : 'Clients do not get these instructions until you accept them.'}
      </Text>
      <pre className="request">{formatDrawn(instructions)}</pre>
      {instructions_accepted || instructions_pin === null || !mayAccept ? null : (
        <ActionButton
          does="Accept instructions"
          to={name}
          send={() => client.request('updateMcpServer', { params: { serverId: id }, body: { accept_instructions: instructions_pin } })}
          then={() => done('Clients get the instructions from now on.')}
        />
      )}
    </section>
  );
};

type McpServerPageProps = { readonly params: RouteParams<'mcpServer'>; readonly session: Session };

const PARENT = { name: 'MCP servers', path: buildConsolePath('mcpServers') };

/** One MCP server: its status with the next step, its tools, and how clients connect. */
export const McpServerPage = ({ params, session }: McpServerPageProps): ReactNode => {
  const environments = useEnvironments() ?? [];
  const { data: server, error, refetch, isFetching } = useOperation('getMcpServer', { params });
  const { announce, announcement } = useAnnouncement();
  const done = (text: string): void => {
    announce(text);
    void refreshServers();
  };
  const actions = (
    <>
      {server === undefined ? null : <Actions server={server} session={session} done={done} />}
      <Button size="xs" variant="default" loading={isFetching} onClick={() => void refetch()}>
        Refresh
      </Button>
    </>
  );
  return (
    <ConsolePage title={server?.name ?? 'MCP server'} parent={PARENT} actions={actions}>
      <Problem error={error ?? undefined} />
      {announcement}
      {server === undefined && !error ? <Skeleton lines={6} /> : null}
      {server === undefined ? null : (
        <>
          <NextStep server={server} />
          <Facts facts={buildFacts(server, environments)} />
          <Tools server={server} />
          <Instructions server={server} mayAccept={may(session, 'mcp:update')} done={done} />
          <Connect server={server} />
        </>
      )}
    </ConsolePage>
  );
};
