import { buildConsolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { formatDrawn } from '../../data/shown-json.ts';
import { useOperation } from '../../data/use-operation.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { Button } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { Warning } from '../../design/warning.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { Authorize } from './authorize.tsx';
import { Changes } from './changes.tsx';
import { Definition, FindingList } from './definition.tsx';
import { type McpServer, type McpToolReview, refreshServers } from './server.ts';
import { ToolStatus } from './status.tsx';
import { WithReason } from './with-reason.tsx';

const buildFacts = (tool: McpToolReview) =>
  [
    ['Status', <ToolStatus key="status" status={tool.status} />],
    ...(tool.disabled_reason === null ? [] : [['Disabled because', tool.disabled_reason] as const]),
    ['Governed tool', tool.tool_name ?? `None yet. Authorizing creates ${tool.suggested.tool_name}.`],
    ['Pin', <code key="pin">{tool.pin}</code>],
    ...(tool.authorized_pin === null || tool.authorized_pin === tool.pin
      ? []
      : [['Authorized pin', <code key="authorized">{tool.authorized_pin}</code>] as const]),
    ...(tool.authorized_at === null ? [] : [['Authorized', <Time key="at" at={tool.authorized_at} />] as const]),
    ['First seen', <Time key="first" at={tool.first_seen_at} />],
    ['Last seen', <Time key="last" at={tool.last_seen_at} />],
    ['Id', tool.id],
  ] as const;

/** Returns why the tool cannot be authorized now; undefined if it can. */
const getObstacle = (server: McpServer, tool: McpToolReview): ReactNode => {
  if (tool.unusable !== null) return tool.unusable;
  if (tool.findings.some(({ stops }) => stops))
    return 'A finding stops it. It can be authorized once the server offers another definition.';
  if (tool.status === 'GONE') return 'The server no longer offers it.';
  if (server.status === 'ACTIVE' || server.status === 'PENDING') return undefined;
  return (
    <>
      Release <a href={buildConsolePath('mcpServer', { serverId: server.id })}>{server.name}</a> first
      {tool.status === 'CHANGED' ? ', and accept this change there if you agree with it' : ''}.
    </>
  );
};

type PartProps = {
  readonly server: McpServer;
  readonly tool: McpToolReview;
  readonly session: Session;
  readonly done: (text: string) => void;
};

const Authorization = (props: PartProps): ReactNode => {
  const { server, tool, session } = props;
  const obstacle = getObstacle(server, tool);
  if (obstacle !== undefined) {
    return (
      <Warning title="This definition cannot be authorized now">
        <p>{obstacle}</p>
      </Warning>
    );
  }
  return may(session, 'mcp:update') ? <Authorize key={tool.pin} {...props} /> : null;
};

const Disable = ({ tool, server, done }: Omit<PartProps, 'session'>): ReactNode => (
  <DialogButton label="Disable" to={formatDrawn(tool.name)}>
    {(close) => (
      <WithReason
        submit="Disable"
        means={`No agent can call ${formatDrawn(tool.name)} until it is authorized again.`}
        send={(reason) => client.request('disableMcpTool', { params: { serverId: server.id, mcpToolId: tool.id }, body: { reason } })}
        then={() => {
          close();
          done(`${formatDrawn(tool.name)} is disabled.`);
        }}
      />
    )}
  </DialogButton>
);

type McpToolPageProps = { readonly params: RouteParams<'mcpTool'>; readonly session: Session };

/** One tool of a server: its definition with findings and changes, for the person who authorizes it. */
export const McpToolPage = ({ params, session }: McpToolPageProps): ReactNode => {
  const { serverId } = params;
  const { data: server, error: serverError } = useOperation('getMcpServer', { params: { serverId } });
  const { data: tool, error, refetch, isFetching } = useOperation('getMcpTool', { params });
  const { announce, announcement } = useAnnouncement();
  const done = (text: string): void => {
    announce(text);
    void refreshServers();
  };
  const isLoaded = server !== undefined && tool !== undefined;
  const problem = error ?? serverError ?? undefined;
  const actions = (
    <>
      {isLoaded && tool.status !== 'DISABLED' && may(session, 'mcp:disable') ? <Disable tool={tool} server={server} done={done} /> : null}
      <Button size="xs" variant="default" loading={isFetching} onClick={() => void refetch()}>
        Refresh
      </Button>
    </>
  );
  return (
    <ConsolePage
      title={tool === undefined ? 'Tool' : formatDrawn(tool.name)}
      parent={{ name: server?.name ?? 'MCP server', path: buildConsolePath('mcpServer', { serverId }) }}
      actions={actions}
    >
      <Problem error={problem} />
      {announcement}
      {isLoaded || problem ? null : <Skeleton lines={6} />}
      {isLoaded ? (
        <>
          <Facts facts={buildFacts(tool)} />
          {tool.authorized_pin === null || tool.authorized_pin === tool.pin ? null : <Changes params={params} />}
          <FindingList findings={tool.findings} />
          <Definition definition={tool.definition} findings={tool.findings} />
          <Authorization server={server} tool={tool} session={session} done={done} />
        </>
      ) : null}
    </ConsolePage>
  );
};
