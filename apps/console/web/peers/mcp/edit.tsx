import { TextInput } from '@mantine/core';
import { MCP_LIMITS } from '@svc/contract/tables/limits/mcp-limits.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { findFault } from '../../data/faults.ts';
import type { Session } from '../../data/session.ts';
import { Form } from '../../design/form.tsx';
import { CredentialField, UrlField } from './fields.tsx';
import type { McpServer } from './server.ts';

const { timeoutMsMin, timeoutMsMax, holdSecondsMax } = MCP_LIMITS.mcpServers;

type EditProps = { readonly server: McpServer; readonly session: Session; readonly done: (text: string) => void };

/** Changes the address, the credential and the times of a server. Another address or credential sets it to PENDING. */
export const Edit = ({ server, session, done }: EditProps): ReactNode => {
  const { id, name, transport, credential_id, settings, environment_id } = server;
  return (
    <Form
      submit="Save"
      send={(values) =>
        client.request('updateMcpServer', {
          params: { serverId: id },
          body: {
            ...(values.url === transport.url ? {} : { transport: { type: 'HTTP', url: values.url ?? '' } }),
            ...((values.credential_id ?? '') === (credential_id ?? '') ? {} : { credential_id: values.credential_id || null }),
            settings: { timeout_ms: Number(values['settings/timeout_ms']), hold_seconds: Number(values['settings/hold_seconds']) },
          },
        })
      }
      then={({ status }) =>
        done(status === 'PENDING' && server.status !== 'PENDING' ? `${name} is pending: discover and authorize its tools again.` : 'Saved.')
      }
      fields={(error) => (
        <>
          <UrlField error={error} defaultValue={transport.url} />
          <CredentialField error={error} session={session} environmentId={environment_id} defaultValue={credential_id ?? ''} />
          <TextInput
            name="settings/timeout_ms"
            type="number"
            label="Time for a call, in milliseconds"
            min={timeoutMsMin}
            max={timeoutMsMax}
            required
            defaultValue={settings.timeout_ms}
            error={findFault(error, 'settings/timeout_ms')}
          />
          <TextInput
            name="settings/hold_seconds"
            type="number"
            label="Seconds that a call waits for an approval"
            description="Clients give up after a time of their own, often 60 seconds."
            min={0}
            max={holdSecondsMax}
            required
            defaultValue={settings.hold_seconds}
            error={findFault(error, 'settings/hold_seconds')}
          />
        </>
      )}
    />
  );
};
