import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { type Answer, call } from '../../data/call.ts';
import { type Factors, getFactors } from '../../data/factors.ts';
import { proveByPasskey } from '../../data/passkeys.ts';
import { CodeField, PasswordField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';

type Way = 'password' | 'code' | 'recovery_code' | 'passkey';

const NAMES: Readonly<Record<Way, string>> = {
  password: 'Password',
  code: 'Authenticator code',
  recovery_code: 'Recovery code',
  passkey: 'Passkey',
};

/** By a second factor where one is enrolled, else by the password. */
const waysOf = ({ factors, recovery_codes_left }: Factors): readonly Way[] => {
  const kinds = factors.map(({ kind }) => kind);
  const ways: readonly Way[] = [
    ...(kinds.includes('TOTP') ? (['code'] as const) : []),
    ...(kinds.includes('PASSKEY') ? (['passkey'] as const) : []),
    ...(kinds.length > 0 && recovery_codes_left > 0 ? (['recovery_code'] as const) : []),
  ];
  return ways.length > 0 ? ways : ['password'];
};

const byPasskey = async (): Promise<Answer<unknown>> => {
  const asked = await call<{ readonly public_key: unknown }>('POST', '/v1/auth/mfa/passkeys/options', { purpose: 'STEP_UP' });
  if (!asked.ok) return asked;
  const passkey = await proveByPasskey(asked.body);
  return passkey.ok ? call('POST', '/v1/auth/step-up', { passkey: passkey.body }) : passkey;
};

type ByProps = { readonly way: Way; readonly onDone: () => void };

const By = ({ way, onDone }: ByProps): ReactNode => (
  <Form
    submit={way === 'passkey' ? 'Use a passkey' : 'Continue'}
    send={({ [way]: proof }) => (way === 'passkey' ? byPasskey() : call('POST', '/v1/auth/step-up', { [way]: proof }))}
    then={onDone}
    fields={(error) => {
      if (way === 'passkey') return null;
      return way === 'password' ? <PasswordField error={error} /> : <CodeField error={error} name={way} label={NAMES[way]} />;
    }}
  />
);

type StepUpProps = { readonly onDone: () => void; readonly onCancel: () => void };

/** Has the person confirm their identity: by a second factor where one is enrolled, else by the password. */
export const StepUp = ({ onDone, onCancel }: StepUpProps): ReactNode => {
  const [ways, setWays] = useState<readonly Way[]>();
  const [chosen, choose] = useState<Way>();
  useEffect(() => {
    void getFactors().then((answer) => setWays(answer.ok ? waysOf(answer.body) : ['password']));
  }, []);
  const way = chosen ?? ways?.[0];
  return (
    <Stack>
      <Text>This action needs your identity confirmed again.</Text>
      {way === undefined ? null : <By key={way} way={way} onDone={onDone} />}
      <Group justify="space-between">
        <Group gap="xs">
          {ways
            ?.filter((each) => each !== way)
            .map((each) => (
              <Button key={each} size="xs" variant="default" onClick={() => choose(each)}>
                Use {NAMES[each].toLowerCase()}
              </Button>
            ))}
        </Group>
        <Button size="xs" variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </Stack>
  );
};
