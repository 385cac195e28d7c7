import type { OperationResult } from '@svc/client/client-types.ts';
import { type ReactNode, useState } from 'react';
import { client, type OperationBody } from '../../data/client.ts';
import { stepUpWithPasskey } from '../../data/passkeys.ts';
import { useOperation } from '../../data/use-operation.ts';
import { CodeField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Button, Group, Stack, Text } from '../../design/kit.tsx';
import { PasswordField } from '../../design/secret-fields.tsx';
import { Skeleton } from '../../design/skeleton.tsx';

type Way = 'password' | 'code' | 'recovery_code' | 'passkey';

const NAMES: Readonly<Record<Way, string>> = {
  password: 'Password',
  code: 'Authenticator code',
  recovery_code: 'Recovery code',
  passkey: 'Passkey',
};

/** The ways to confirm: a second factor where one is enrolled, else the password. */
const waysOf = ({ factors, recovery_codes_left }: OperationResult<'getMfa'>): readonly Way[] => {
  const kinds = factors.map(({ kind }) => kind);
  const ways: readonly Way[] = [
    ...(kinds.includes('TOTP') ? (['code'] as const) : []),
    ...(kinds.includes('PASSKEY') ? (['passkey'] as const) : []),
    ...(kinds.length > 0 && recovery_codes_left > 0 ? (['recovery_code'] as const) : []),
  ];
  return ways.length > 0 ? ways : ['password'];
};

type ByProps = { readonly way: Way; readonly onDone: () => void };

const By = ({ way, onDone }: ByProps): ReactNode => (
  <Form<object>
    submit={way === 'passkey' ? 'Use a passkey' : 'Continue'}
    send={({ [way]: proof }) =>
      way === 'passkey' ? stepUpWithPasskey() : client.request('stepUp', { body: { [way]: proof } as OperationBody<'stepUp'> })
    }
    then={onDone}
    fields={(error) => {
      if (way === 'passkey') return null;
      return way === 'password' ? <PasswordField error={error} /> : <CodeField error={error} name={way} label={NAMES[way]} />;
    }}
  />
);

type StepUpProps = { readonly onDone: () => void; readonly onCancel: () => void };

/** Has the person confirm their identity: with a second factor where one is enrolled, else with the password. */
export const StepUp = ({ onDone, onCancel }: StepUpProps): ReactNode => {
  const { data, isPending } = useOperation('getMfa', {});
  const [chosen, choose] = useState<Way>();
  if (isPending) return <Skeleton lines={3} />;
  const ways: readonly Way[] = data === undefined ? ['password'] : waysOf(data);
  const way = chosen ?? ways[0] ?? 'password';
  return (
    <Stack>
      <Text>Confirm your identity to continue.</Text>
      <By key={way} way={way} onDone={onDone} />
      <Group justify="space-between">
        <Group gap="xs">
          {ways
            .filter((each) => each !== way)
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
