import { NativeSelect, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type ApiError, call } from '../../data/call.ts';
import type { Environment } from '../../data/environments.ts';
import { faultOf } from '../../data/faults.ts';
import { environmentOptions } from '../../data/scope-options.ts';
import { TextField } from '../../design/fields.tsx';
import type { Values } from '../../design/form.tsx';
import { Form } from '../../design/form.tsx';
import type { Credential } from './credential.ts';
import { filledIn, filledInOf, namesIn } from './filled-in.ts';
import { FIXED, SecretFields } from './secret-fields.tsx';
import { type WayName, wayOf } from './ways.ts';

/** For as many as a credential may name. */
const NAMES_CHARS_MAX = 15_000;

/** What the fields below send, with each name where the plane has it. */
const bodyOf = (values: Values) => {
  const { name, environment_id, destinations, tools, kind, way } = values;
  const { description = '', secret = '', client_secret = '', refresh_token = '' } = values;
  const { scheme, placement } = wayOf(way as WayName);
  return {
    ...{ name, environment_id, scheme, destinations: namesIn(destinations), tools: namesIn(tools) },
    placement: { ...placement, ...filledInOf('placement', values) },
    ...(kind === FIXED ? {} : { oauth: { grant: kind, ...filledInOf('oauth', values) } }),
    ...filledIn({ description, secret, client_secret, refresh_token }),
  };
};

type FieldsProps = { readonly environments: readonly Environment[]; readonly error: ApiError | undefined };

/** What a credential is called, and where it may go. */
const PlaceFields = ({ environments, error }: FieldsProps): ReactNode => (
  <>
    <TextField error={error} name="name" label="Name" />
    <TextField error={error} name="description" label="What it is for" required={false} maxLength={4000} />
    <NativeSelect
      name="environment_id"
      label="Environment"
      data={environmentOptions(environments)}
      error={faultOf(error, 'environment_id')}
    />
    <TextField
      error={error}
      name="destinations"
      label="Destinations"
      description="Hosts, or *.example.com for all below one, each with its port where that is not the usual one; commas between."
      maxLength={NAMES_CHARS_MAX}
    />
    <TextField
      error={error}
      name="tools"
      label="Tools"
      description="Names of the tools that it serves, whether they are there yet or not; commas between."
      maxLength={NAMES_CHARS_MAX}
    />
  </>
);

const NoEnvironment = (): ReactNode => (
  <Text>
    A credential belongs to an environment, and there is none that you see yet: <code>POST /v1/environments</code> makes one, as the guide{' '}
    <code>docs/guides/first-governed-tool.md</code> shows.
  </Text>
);

type CreateProps = { readonly environments: readonly Environment[]; readonly onCreated: (made: Credential) => void };

/** A new credential. What it was made of is gone with the form. */
export const Create = ({ environments, onCreated }: CreateProps): ReactNode =>
  environments.length === 0 ? (
    <NoEnvironment />
  ) : (
    <Form<Credential>
      submit="Store"
      send={(values) => call('POST', '/v1/credentials', bodyOf(values))}
      then={onCreated}
      fields={(error) => (
        <>
          <PlaceFields environments={environments} error={error} />
          <SecretFields error={error} />
        </>
      )}
    />
  );
