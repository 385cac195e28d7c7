import { NativeSelect } from '@mantine/core';
import type { ClientAuthentication, OauthGrant } from '@svc/contract/credentials/oauth.ts';
import { type ReactNode, useState } from 'react';
import type { ApiError } from '../../data/answer.ts';
import { findFault } from '../../data/faults.ts';
import { TextField } from '../../design/fields.tsx';
import { Stack } from '../../design/kit.tsx';
import { SecretField } from '../../design/secret-fields.tsx';
import type { Field } from './ways.ts';

const ADDRESS_CHARS_MAX = 2000;

const AUTHENTICATIONS: readonly { readonly value: ClientAuthentication; readonly label: string }[] = [
  { value: 'CLIENT_SECRET_BASIC', label: 'Client secret (HTTP Basic)' },
  { value: 'CLIENT_SECRET_POST', label: 'Client secret (request body)' },
  { value: 'PRIVATE_KEY_JWT', label: 'Private key JWT (key generated here)' },
  { value: 'NONE', label: 'None (public client)' },
];

const OPTIONAL: readonly Field[] = [
  { name: 'oauth/scope', label: 'Scope', description: 'Separated by spaces.' },
  { name: 'oauth/audience', label: 'Audience', description: 'If the server requires one.' },
];
const IN_BROWSER: readonly Field[] = [
  {
    name: 'oauth/authorization_url',
    label: 'Authorization URL',
    description: 'Required to connect in the browser.',
  },
  { name: 'oauth/issuer', label: 'Issuer', description: 'If the server returns it with the code.' },
];

type FieldsProps = { readonly grant: OauthGrant; readonly error: ApiError | undefined };

/** The OAuth application that access tokens are requested with. */
export const OauthFields = ({ grant, error }: FieldsProps): ReactNode => {
  const [authentication, setAuthentication] = useState<string>('CLIENT_SECRET_BASIC');
  const isOfPerson = grant === 'REFRESH_TOKEN';
  return (
    <fieldset className="boxes">
      <legend>OAuth application</legend>
      <Stack gap="xs">
        <TextField error={error} name="oauth/token_url" label="Token URL" maxLength={ADDRESS_CHARS_MAX} />
        <TextField error={error} name="oauth/client_id" label="Client ID" maxLength={300} />
        <NativeSelect
          name="oauth/client_authentication"
          label="Client authentication"
          value={authentication}
          onChange={({ currentTarget }) => setAuthentication(currentTarget.value)}
          data={AUTHENTICATIONS.filter(({ value }) => isOfPerson || value !== 'NONE')}
          error={findFault(error, 'oauth/client_authentication')}
        />
        {authentication.startsWith('CLIENT_SECRET') ? <SecretField error={error} name="client_secret" label="Client secret" /> : null}
        {[...OPTIONAL, ...(isOfPerson ? IN_BROWSER : [])].map((field) => (
          <TextField key={field.name} error={error} required={false} maxLength={ADDRESS_CHARS_MAX} {...field} />
        ))}
        {isOfPerson ? (
          <SecretField
            error={error}
            name="refresh_token"
            label="Refresh token"
            description="Leave empty to connect in the browser."
            required={false}
          />
        ) : null}
      </Stack>
    </fieldset>
  );
};
