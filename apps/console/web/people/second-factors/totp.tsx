import type { OperationResult } from '@svc/client/client-types.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { CodeField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Text } from '../../design/kit.tsx';

export type Started = OperationResult<'enrolTotp'>;
export type Enrolled = Pick<OperationResult<'confirmTotp'>, 'recovery_codes'>;

type TotpProps = { readonly started: Started; readonly onEnrolled: (enrolled: Enrolled) => void };

/** The secret of a new authenticator app, and a form for its first code. */
export const Totp = ({ started: { id, secret, qr_code }, onEnrolled }: TotpProps): ReactNode => (
  <>
    <Text>Scan the code with your authenticator app, or enter the secret there. Then enter the six digits that it shows.</Text>
    <img className="scanned" src={qr_code} alt="QR code of the secret" width={200} height={200} />
    <p className="secret">{secret}</p>
    <Form
      submit="Confirm"
      send={({ code = '' }) => client.request('confirmTotp', { params: { factorId: id }, body: { code } })}
      then={onEnrolled}
      fields={(error) => <CodeField error={error} name="code" label="Code" />}
    />
  </>
);
