import { NativeSelect } from '@mantine/core';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import type { ApiError } from '../../data/answer.ts';
import { client } from '../../data/client.ts';
import { type LabelledEnvironment, useEnvironmentsRead } from '../../data/environments.ts';
import { findFault } from '../../data/faults.ts';
import { getEnvironmentOptions } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { EmptyState } from '../../design/empty-state.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Unread } from '../../design/unread.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { CredentialField, UrlField } from './fields.tsx';
import { refreshServers } from './server.ts';

type FieldsProps = {
  readonly environments: readonly LabelledEnvironment[];
  readonly session: Session;
  readonly error: ApiError | undefined;
};

const Fields = ({ environments, session, error }: FieldsProps): ReactNode => {
  const [environmentId, setEnvironmentId] = useState(environments[0]?.id ?? '');
  return (
    <>
      <TextField error={error} name="name" label="Name" description="The names of its tools begin with it." placeholder="Issue tracker" />
      <NativeSelect
        name="environment_id"
        label="Environment"
        value={environmentId}
        onChange={({ currentTarget }) => setEnvironmentId(currentTarget.value)}
        data={getEnvironmentOptions(environments)}
        error={findFault(error, 'environment_id')}
      />
      <UrlField error={error} />
      <CredentialField error={error} session={session} environmentId={environmentId} />
    </>
  );
};

const NoEnvironment = (): ReactNode => (
  <EmptyState action={<a href="/docs">Open the API reference</a>}>
    An MCP server belongs to an environment. Create one first, with <code>POST /v1/environments</code>.
  </EmptyState>
);

const PARENT = { name: 'MCP servers', path: buildConsolePath('mcpServers') };

/** A form for a new MCP server. */
export const NewMcpServer = ({ session }: { readonly session: Session }): ReactNode => {
  const { environments, error: failure } = useEnvironmentsRead();
  const [, navigate] = useLocation();
  return (
    <ConsolePage title="Register an MCP server" parent={PARENT}>
      {environments === undefined ? <Unread error={failure} lines={4} /> : null}
      {environments?.length === 0 ? <NoEnvironment /> : null}
      {environments === undefined || environments.length === 0 ? null : (
        <Form
          submit="Register"
          send={({ name = '', environment_id = '', url = '', credential_id = '' }) =>
            client.request('registerMcpServer', {
              body: {
                ...{ name, environment_id, transport: { type: 'HTTP', url } },
                ...(credential_id === '' ? {} : { credential_id }),
              },
            })
          }
          then={({ id }) => {
            void refreshServers();
            navigate(buildConsolePath('mcpServer', { serverId: id }));
          }}
          fields={(error) => <Fields environments={environments} session={session} error={error} />}
        />
      )}
    </ConsolePage>
  );
};
