import { NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ApiError } from '../../data/answer.ts';
import { findFault } from '../../data/faults.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';

const URL_CHARS_MAX = 2000;
const NO_CREDENTIAL = { value: '', label: 'None' };

type FieldProps = { readonly error: ApiError | undefined };

export const UrlField = ({ error, defaultValue }: FieldProps & { readonly defaultValue?: string }): ReactNode => (
  <TextInput
    name="url"
    type="url"
    label="URL"
    description="Address of the MCP endpoint (streamable HTTP)."
    placeholder="https://mcp.service.example/mcp"
    maxLength={URL_CHARS_MAX}
    required
    defaultValue={defaultValue}
    error={findFault(error, 'transport/url')}
  />
);

type CredentialFieldProps = FieldProps & {
  readonly session: Session;
  readonly environmentId: string;
  readonly defaultValue?: string;
};

/** The credential that authenticates the gateway; only those of the environment that name servers are offered. */
export const CredentialField = ({ error, session, environmentId, defaultValue = '' }: CredentialFieldProps): ReactNode => {
  const query = { status: 'ACTIVE', environment_id: environmentId } as const;
  const isEnabled = environmentId !== '' && may(session, 'credential:read') && may(session, 'credential:create');
  const { data = [] } = useOperation('listCredentials', { query }, { isEnabled });
  const offered = data.filter(({ servers }) => servers.length > 0).map(({ id, name }) => ({ value: id, label: name }));
  const isMissing = defaultValue !== '' && !offered.some(({ value }) => value === defaultValue);
  return (
    <NativeSelect
      key={`${environmentId} ${data.length}`}
      name="credential_id"
      label="Credential (optional)"
      description="A stored credential that names this server."
      data={[NO_CREDENTIAL, ...(isMissing ? [{ value: defaultValue, label: defaultValue }] : []), ...offered]}
      defaultValue={defaultValue}
      error={findFault(error, 'credential_id')}
    />
  );
};
