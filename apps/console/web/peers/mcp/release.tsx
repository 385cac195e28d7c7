import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Checkbox } from '../../design/checkbox.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Stack, Text } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import type { McpServer, McpTool } from './server.ts';
import { Findings } from './status.tsx';

const REASON_CHARS_MAX = 1000;
/** The most tools that a page of the list holds. */
const limit = 200;

const isAcceptable = ({ findings }: McpTool): boolean => !findings.some(({ stops }) => stops);

const Changed = ({ tools }: { readonly tools: readonly McpTool[] }): ReactNode => (
  <fieldset className="boxes">
    <legend>Accept the changed definition of</legend>
    <Stack gap="xs">
      {tools.map((tool) => (
        <div key={tool.id}>
          <Checkbox name="accept" value={`${tool.id} ${tool.pin}`} label={tool.name} disabled={!isAcceptable(tool)} />
          <p className="quiet">
            Findings: <Findings findings={tool.findings} />
            {isAcceptable(tool) ? '' : ' It cannot be accepted.'}{' '}
            <a href={buildConsolePath('mcpTool', { serverId: tool.server_id, mcpToolId: tool.id })}>Compare {tool.name}</a>
          </p>
        </div>
      ))}
    </Stack>
  </fieldset>
);

const acceptedOf = (values: readonly string[]) =>
  values.map((value) => {
    const [tool_id = '', pin = ''] = value.split(' ');
    return { tool_id, pin };
  });

type ReleaseProps = { readonly server: McpServer; readonly done: (text: string) => void };

/** Ends a quarantine or a disabling. Each changed definition is accepted by itself; the other changed tools are disabled. */
export const Release = ({ server: { id, name }, done }: ReleaseProps): ReactNode => {
  const params = { serverId: id };
  const { data: changed, error: failure } = useOperation('listMcpTools', { params, query: { status: 'CHANGED', limit } });
  if (failure) return <Problem error={failure} />;
  if (changed === undefined) return <Skeleton lines={3} />;
  return (
    <Form
      submit="Release"
      send={({ reason = '' }, all) => client.request('releaseMcpServer', { params, body: { reason, accept: acceptedOf(all('accept')) } })}
      then={({ status }) => done(status === 'ACTIVE' ? `${name} is active again.` : `${name} is pending: authorize its tools.`)}
      fields={(error) => (
        <>
          {changed.length === 0 ? (
            <Text>Authorized tools of this server can be called again.</Text>
          ) : (
            <>
              <Text>Review each change first. Tools whose change you do not accept are disabled.</Text>
              <Changed tools={changed} />
            </>
          )}
          <TextField error={error} name="reason" label="Reason" maxLength={REASON_CHARS_MAX} />
        </>
      )}
    />
  );
};
