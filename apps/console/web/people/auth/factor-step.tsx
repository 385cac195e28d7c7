import { type ReactNode, useState } from 'react';
import { client } from '../../data/client.ts';
import type { Challenge } from '../../data/session.ts';
import { CodeField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Button, Group, Text } from '../../design/kit.tsx';
import { PublicPage } from '../../layout/public-page.tsx';
import { ByDevice } from './by-device.tsx';
import { ByPasskey } from './by-passkey.tsx';

const NAMES: Readonly<Record<string, string>> = {
  TOTP: 'Authenticator code',
  PASSKEY: 'Passkey',
  RECOVERY_CODE: 'Recovery code',
  DEVICE: 'Another device',
};

export type FactorProps = { readonly challenge: string; readonly onDone: () => void };

const ByCode = ({ challenge, onDone }: FactorProps): ReactNode => (
  <Form
    submit="Verify"
    send={({ code = '' }) => client.request('verifyMfa', { body: { mfa_challenge: challenge, code } })}
    then={onDone}
    fields={(error) => <CodeField error={error} name="code" label="Code" description="The six digits in your authenticator app." />}
  />
);

const ByRecoveryCode = ({ challenge, onDone }: FactorProps): ReactNode => (
  <Form
    submit="Verify"
    send={({ recovery_code = '' }) => client.request('verifyMfa', { body: { mfa_challenge: challenge, recovery_code } })}
    then={onDone}
    fields={(error) => <CodeField error={error} name="recovery_code" label="Recovery code" description="Each code works once." />}
  />
);

const WAYS: Readonly<Record<string, (props: FactorProps) => ReactNode>> = {
  TOTP: ByCode,
  PASSKEY: ByPasskey,
  RECOVERY_CODE: ByRecoveryCode,
  DEVICE: ByDevice,
};

type FactorStepProps = { readonly challenge: Challenge; readonly onDone: () => void };

/** The second step of a sign-in. */
export const FactorStep = ({ challenge: { mfa_challenge, methods }, onDone }: FactorStepProps): ReactNode => {
  const known = methods.filter((method) => method in WAYS);
  const [chosen, choose] = useState<string>(known[0] ?? 'TOTP');
  const Way = WAYS[chosen] ?? ByCode;
  return (
    <PublicPage title="Second factor">
      <Text>Confirm the sign-in with your second factor.</Text>
      <Way challenge={mfa_challenge} onDone={onDone} />
      <Group>
        {known
          .filter((method) => method !== chosen)
          .map((method) => (
            <Button key={method} variant="default" size="xs" onClick={() => choose(method)}>
              Use {NAMES[method]?.toLowerCase()}
            </Button>
          ))}
      </Group>
    </PublicPage>
  );
};
