import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { call } from '../../data/call.ts';
import { CodeField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';

export type Begun = { readonly id: string; readonly secret: string; readonly qr_code: string };
export type Enrolled = { readonly recovery_codes?: readonly string[] };

type TotpProps = { readonly begun: Begun; readonly onEnrolled: (enrolled: Enrolled) => void };

export const Totp = ({ begun: { id, secret, qr_code }, onEnrolled }: TotpProps): ReactNode => (
  <>
    <Text>Scan this with an app for one-time codes, or type the secret there. Then type the code that it shows.</Text>
    <img className="scanned" src={qr_code} alt="The secret as a code to be scanned" width={200} height={200} />
    <p className="secret">{secret}</p>
    <Form<Enrolled>
      submit="Confirm"
      send={({ code }) => call('POST', `/v1/auth/mfa/totp/${id}/confirm`, { code })}
      then={onEnrolled}
      fields={(error) => <CodeField error={error} name="code" label="Code" />}
    />
  </>
);
