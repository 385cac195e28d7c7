import { NativeSelect, Stack } from '@mantine/core';
import type { ClientAuthentication, OauthGrant } from '@svc/contract/credentials/oauth.ts';
import { type ReactNode, useState } from 'react';
import type { ApiError } from '../../data/call.ts';
import { faultOf } from '../../data/faults.ts';
import { SecretField, TextField } from '../../design/fields.tsx';
import type { Field } from './ways.ts';

const ADDRESS_CHARS_MAX = 2000;

const PROOFS: readonly { readonly value: ClientAuthentication; readonly label: string }[] = [
  { value: 'CLIENT_SECRET_BASIC', label: 'A client secret, by HTTP basic' },
  { value: 'CLIENT_SECRET_POST', label: 'A client secret, in the body' },
  { value: 'PRIVATE_KEY_JWT', label: 'A key that is made here, by what it signs' },
  { value: 'NONE', label: 'Nothing' },
];

const OPTIONAL: readonly Field[] = [
  { name: 'oauth/scope', label: 'Scope', description: 'With spaces between.' },
  { name: 'oauth/audience', label: 'Audience', description: 'Where the server wants one.' },
];
const IN_BROWSER: readonly Field[] = [
  {
    name: 'oauth/authorization_url',
    label: 'Where a person allows it',
    description: 'The authorization endpoint, to connect it in the browser.',
  },
  { name: 'oauth/issuer', label: 'Issuer', description: 'Where the server tells it when it sends people back.' },
];

type FieldsProps = { readonly grant: OauthGrant; readonly error: ApiError | undefined };

/** Where access tokens come from, and what they are had by. */
export const OauthFields = ({ grant, error }: FieldsProps): ReactNode => {
  const [proof, setProof] = useState<string>('CLIENT_SECRET_BASIC');
  const isSomebodys = grant === 'REFRESH_TOKEN';
  return (
    <fieldset className="boxes">
      <legend>The application, as its server knows it</legend>
      <Stack gap="xs">
        <TextField error={error} name="oauth/token_url" label="Token endpoint" maxLength={ADDRESS_CHARS_MAX} />
        <TextField error={error} name="oauth/client_id" label="Client id" maxLength={300} />
        <NativeSelect
          name="oauth/client_authentication"
          label="It proves itself by"
          value={proof}
          onChange={({ currentTarget }) => setProof(currentTarget.value)}
          data={PROOFS.filter(({ value }) => isSomebodys || value !== 'NONE')}
          error={faultOf(error, 'oauth/client_authentication')}
        />
        {proof.startsWith('CLIENT_SECRET') ? <SecretField error={error} name="client_secret" label="Client secret" /> : null}
        {[...OPTIONAL, ...(isSomebodys ? IN_BROWSER : [])].map((field) => (
          <TextField key={field.name} error={error} required={false} maxLength={ADDRESS_CHARS_MAX} {...field} />
        ))}
        {isSomebodys ? (
          <SecretField
            error={error}
            name="refresh_token"
            label="Refresh token"
            description="Leave it empty where a person connects it in the browser."
            required={false}
          />
        ) : null}
      </Stack>
    </fieldset>
  );
};
