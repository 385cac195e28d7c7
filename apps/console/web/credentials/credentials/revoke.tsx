import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { call } from '../../data/call.ts';
import type { Done } from '../../data/listing.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import type { Credential } from './credential.ts';

const REASON_CHARS_MAX = 1000;

type RevokeProps = { readonly credential: Credential; readonly done: Done };

/** The end of a credential, said before. */
export const Revoke = ({ credential: { id, name }, done }: RevokeProps): ReactNode => (
  <>
    <Text>
      The secret of <bdi>{name}</bdi> is erased, for good. Tools that name it are refused from now on, until they name another.
    </Text>
    <Form<Credential>
      submit="Revoke"
      color="red"
      send={({ reason }) => call('POST', `/v1/credentials/${id}/revoke`, { reason })}
      then={() => done(`${name} is revoked, and its secret erased.`)}
      fields={(error) => <TextField error={error} name="reason" label="Reason" maxLength={REASON_CHARS_MAX} />}
    />
  </>
);
