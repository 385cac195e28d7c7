import { Anchor, Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type Answer, type ApiError, call } from '../../data/call.ts';
import { proveByPasskey } from '../../data/passkeys.ts';
import { type Challenge, challengeOfAddress, isChallenge, nextPath, type Session, type SignInAnswer } from '../../data/session.ts';
import { EmailField, PasswordField } from '../../design/fields.tsx';
import type { Values } from '../../design/form.tsx';
import { Form } from '../../design/form.tsx';
import { Problem } from '../../design/problem.tsx';
import { PublicPage } from '../../layout/public-page.tsx';
import { FactorStep } from './factor-step.tsx';

const goOn = (): void => location.assign(nextPath());

const signIn = ({ email, password }: Values): Promise<Answer<SignInAnswer>> => call('POST', '/v1/auth/login', { email, password });

const signInWithPasskey = async (): Promise<Answer<Session>> => {
  const asked = await call<{ readonly public_key: unknown }>('POST', '/v1/auth/passkey/start', {});
  if (!asked.ok) return asked;
  const passkey = await proveByPasskey(asked.body);
  return passkey.ok ? call('POST', '/v1/auth/passkey/verify', { passkey: passkey.body }) : passkey;
};

/** By the domain of the address that is typed; whose it is, is not asked. */
const goToProvider = (): void => {
  const input = document.querySelector<HTMLInputElement>('input[name=email]');
  if (input?.value) location.assign(`/v1/auth/sso/start?${new URLSearchParams({ email: input.value, return_to: nextPath() })}`);
  else input?.reportValidity();
};

export const SignIn = (): ReactNode => {
  const [challenge, setChallenge] = useState<Challenge | undefined>(challengeOfAddress);
  const [error, setError] = useState<ApiError>();
  if (challenge) return <FactorStep challenge={challenge} onDone={goOn} />;
  const then = (answer: SignInAnswer): void => (isChallenge(answer) ? setChallenge(answer) : goOn());
  const byPasskey = async (): Promise<void> => {
    const answer = await signInWithPasskey();
    if (answer.ok) goOn();
    else setError(answer.error);
  };
  return (
    <PublicPage title="Sign in">
      <Form
        submit="Sign in"
        send={signIn}
        then={then}
        fields={(fault) => (
          <>
            <EmailField error={fault} />
            <PasswordField error={fault} />
          </>
        )}
      />
      <Problem error={error} />
      <Stack gap="xs">
        <Button variant="default" onClick={() => void byPasskey()}>
          Use a passkey
        </Button>
        <Button variant="default" onClick={goToProvider}>
          Single sign-on
        </Button>
      </Stack>
      <Group justify="space-between">
        <Anchor href="/reset-password">Forgotten password</Anchor>
        <Anchor href="/sign-up">Sign up</Anchor>
      </Group>
    </PublicPage>
  );
};
