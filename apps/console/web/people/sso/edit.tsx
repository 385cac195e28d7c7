import type { OperationResult } from '@svc/client/client-types.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { Checkbox } from '../../design/checkbox.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { SecretField } from '../../design/secret-fields.tsx';
import { listWords } from './create.tsx';

type Connection = OperationResult<'listSsoConnections'>[number];
type EditProps = { readonly connection: Connection; readonly onSaved: () => void };

/** Changes a connection to an identity provider. */
export const EditConnection = ({ connection, onSaved }: EditProps): ReactNode => (
  <Form
    submit="Save"
    send={({ name = '', domains = '', client_secret = '', jit, trusts_mfa }) =>
      client.request('updateSsoConnection', {
        params: { connectionId: connection.id },
        body: {
          name,
          domains: listWords(domains),
          jit: jit === 'on',
          ...((trusts_mfa === 'on') === connection.trusts_mfa ? {} : { trusts_mfa: trusts_mfa === 'on' }),
          ...(client_secret === '' ? {} : { client_secret }),
        },
      })
    }
    then={onSaved}
    fields={(error) => (
      <>
        <TextField error={error} name="name" label="Name" defaultValue={connection.name} />
        <TextField
          error={error}
          name="domains"
          label="E-mail domains"
          description="With commas between them."
          required={false}
          maxLength={2000}
          defaultValue={connection.domains.map(({ domain }) => domain).join(', ')}
        />
        {connection.kind === 'OIDC' ? (
          <SecretField
            error={error}
            name="client_secret"
            label="New client secret"
            description="Empty keeps the present one."
            required={false}
          />
        ) : null}
        <Checkbox name="jit" label="New people of a verified domain become members" defaultChecked={connection.jit} />
        <Checkbox name="trusts_mfa" label="A second factor of the provider counts" defaultChecked={connection.trusts_mfa} />
      </>
    )}
  />
);
