import { NativeSelect } from '@mantine/core';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { ApiError } from '../../data/answer.ts';
import { client, type OperationBody } from '../../data/client.ts';
import { type LabelledEnvironment, useEnvironmentsRead } from '../../data/environments.ts';
import { findFault } from '../../data/faults.ts';
import { getEnvironmentOptions } from '../../data/scope-options.ts';
import { refresh } from '../../data/use-operation.ts';
import { EmptyState } from '../../design/empty-state.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form, type Values } from '../../design/form.tsx';
import { Unread } from '../../design/unread.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { ExtraFields, getExtras } from './extra-fields.tsx';
import { getFilledFields, getFilledFieldsBelow, getNames } from './filled-in.ts';
import { FIXED, SecretFields } from './secret-fields.tsx';
import { getWay, type WayName } from './ways.ts';

/** Room for the most names that a credential may have. */
const NAMES_CHARS_MAX = 15_000;

/** The request that the fields below make. */
const getBody = (values: Values): OperationBody<'createCredential'> => {
  const { name, environment_id, destinations, kind, way } = values;
  const [tools, servers] = [getNames(values.tools), getNames(values.servers)];
  const { description = '', secret = '', client_secret = '', refresh_token = '' } = values;
  const { scheme, placement } = getWay(way as WayName);
  const extras = getExtras(values);
  return {
    ...{ name, environment_id, scheme, destinations: getNames(destinations) },
    ...(servers.length === 0 ? { tools } : { servers, ...(tools.length === 0 ? {} : { tools }) }),
    placement: { ...placement, ...getFilledFieldsBelow('placement', values) },
    ...(kind === FIXED ? {} : { oauth: { grant: kind, ...getFilledFieldsBelow('oauth', values) } }),
    ...getFilledFields({ description, secret, client_secret, refresh_token }),
    ...(extras.length === 0 ? {} : { extras }),
  } as OperationBody<'createCredential'>;
};

type FieldsProps = { readonly environments: readonly LabelledEnvironment[]; readonly error: ApiError | undefined };

/** The name of a credential, and where it may be used. A link from another page may propose hosts and MCP servers. */
const ScopeFields = ({ environments, error, proposed }: FieldsProps & { readonly proposed: URLSearchParams }): ReactNode => (
  <>
    <TextField error={error} name="name" label="Name" />
    <TextField error={error} name="description" label="Description" required={false} maxLength={4000} />
    <NativeSelect
      name="environment_id"
      label="Environment"
      data={getEnvironmentOptions(environments)}
      error={findFault(error, 'environment_id')}
    />
    <TextField
      error={error}
      name="destinations"
      label="Destinations"
      description="Hosts such as api.example.com, *.example.com or localhost:8080, separated by commas."
      maxLength={NAMES_CHARS_MAX}
      defaultValue={proposed.get('destinations') ?? ''}
    />
    <TextField
      error={error}
      name="tools"
      label="Tools that may use it"
      description="Tool names, separated by commas. Optional if MCP servers are named."
      required={false}
      maxLength={NAMES_CHARS_MAX}
    />
    <TextField
      error={error}
      name="servers"
      label="MCP servers that may use it"
      description="First parts of the names of their tools, separated by commas."
      required={false}
      maxLength={NAMES_CHARS_MAX}
      defaultValue={proposed.get('servers') ?? ''}
    />
  </>
);

const NoEnvironment = (): ReactNode => (
  <EmptyState action={<a href="/docs">Open the API reference</a>}>
    A credential belongs to an environment. Create one first, with <code>POST /v1/environments</code>.
  </EmptyState>
);

const PARENT = { name: 'Credentials', path: buildConsolePath('credentials') };

/** A form for a new credential. */
export const NewCredential = (): ReactNode => {
  const { environments, error: failure } = useEnvironmentsRead();
  const [, navigate] = useLocation();
  const proposed = new URLSearchParams(useSearch());
  return (
    <ConsolePage title="New credential" parent={PARENT}>
      {environments === undefined ? <Unread error={failure} lines={6} /> : null}
      {environments?.length === 0 ? <NoEnvironment /> : null}
      {environments === undefined || environments.length === 0 ? null : (
        <Form
          submit="Create credential"
          send={(values) => client.request('createCredential', { body: getBody(values) })}
          then={({ id }) => {
            void refresh('listCredentials');
            navigate(buildConsolePath('credential', { credentialId: id }));
          }}
          fields={(error) => (
            <>
              <ScopeFields environments={environments} error={error} proposed={proposed} />
              <SecretFields error={error} />
              <ExtraFields error={error} />
            </>
          )}
        />
      )}
    </ConsolePage>
  );
};
