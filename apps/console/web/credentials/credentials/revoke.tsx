import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Text } from '../../design/kit.tsx';
import type { Credential } from './credential.ts';

const REASON_CHARS_MAX = 1000;

type RevokeProps = { readonly credential: Credential; readonly done: (text: string) => void };

/** Revokes a credential. */
export const Revoke = ({ credential: { id, name }, done }: RevokeProps): ReactNode => (
  <>
    <Text mb="md">
      The secret of <bdi>{name}</bdi> is erased. Tools that use it are refused until they name another credential. This cannot be undone.
    </Text>
    <Form
      submit="Revoke"
      color="red"
      send={({ reason = '' }) => client.request('revokeCredential', { params: { credentialId: id }, body: { reason } })}
      then={() => done(`${name} is revoked and its secret erased.`)}
      fields={(error) => <TextField error={error} name="reason" label="Reason" maxLength={REASON_CHARS_MAX} />}
    />
  </>
);
