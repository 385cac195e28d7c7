import { NativeSelect, Textarea } from '@mantine/core';
import type { OperationResult } from '@svc/client/client-types.ts';
import { type ReactNode, useState } from 'react';
import { client, type OperationBody } from '../../data/client.ts';
import { findFault } from '../../data/faults.ts';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { SecretField } from '../../design/secret-fields.tsx';

type CreateProps = { readonly onCreated: (connection: OperationResult<'createSsoConnection'>) => void };

const KINDS = [
  { value: 'OIDC', label: 'OpenID Connect' },
  { value: 'SAML', label: 'SAML 2.0' },
];

/** The items of a list that is entered with spaces or commas. */
export const listWords = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '');

/** Connects an identity provider. */
export const CreateConnection = ({ onCreated }: CreateProps): ReactNode => {
  const [kind, setKind] = useState('OIDC');
  return (
    <Form
      submit="Create connection"
      send={({ name = '', issuer = '', client_id = '', client_secret = '', sso_url = '', certificate = '', domains = '' }) =>
        client.request('createSsoConnection', {
          body: {
            kind,
            name,
            issuer,
            domains: listWords(domains),
            ...(kind === 'OIDC'
              ? { client_id, ...(client_secret === '' ? {} : { client_secret }) }
              : { sso_url, certificates: [certificate] }),
          } as OperationBody<'createSsoConnection'>,
        })
      }
      then={onCreated}
      fields={(error) => (
        <>
          <NativeSelect label="Kind" value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value)} data={KINDS} />
          <TextField error={error} name="name" label="Name" placeholder="Okta" />
          <TextField
            error={error}
            name="issuer"
            label={kind === 'OIDC' ? 'Issuer' : 'Entity id of the provider'}
            description="It cannot be changed later."
            placeholder="https://login.example.com"
            maxLength={1000}
          />
          {kind === 'OIDC' ? (
            <>
              <TextField error={error} name="client_id" label="Client id" maxLength={300} />
              <SecretField error={error} name="client_secret" label="Client secret" required={false} />
            </>
          ) : (
            <>
              <TextField error={error} name="sso_url" label="Sign-in address" maxLength={1000} />
              <Textarea name="certificate" label="Signing certificate" rows={5} required error={findFault(error, 'certificates')} />
            </>
          )}
          <TextField
            error={error}
            name="domains"
            label="E-mail domains"
            description="With commas between them. Each is verified by a DNS record."
            required={false}
            maxLength={2000}
          />
        </>
      )}
    />
  );
};
