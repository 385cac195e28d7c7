import { Anchor, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type Answer, call } from '../api/call.ts';
import { type Challenge, isChallenge, ownPath, type SignInAnswer } from '../api/session.ts';
import { EmailField, PasswordField } from '../frame/fields.tsx';
import { Form, type Values } from '../frame/form.tsx';
import { Frame } from '../frame/frame.tsx';
import { SecondFactor } from './second-factor.tsx';

const goOn = (): void => location.assign(ownPath(new URLSearchParams(location.search).get('next')));

const signIn = ({ email, password }: Values): Promise<Answer<SignInAnswer>> => call('POST', '/v1/auth/login', { email, password });

export const SignIn = (): ReactNode => {
  const [challenge, setChallenge] = useState<Challenge>();
  if (challenge) return <SecondFactor challenge={challenge} onDone={goOn} />;
  const then = (answer: SignInAnswer): void => (isChallenge(answer) ? setChallenge(answer) : goOn());
  return (
    <Frame title="Sign in">
      <Form
        submit="Sign in"
        send={signIn}
        then={then}
        fields={(error) => (
          <>
            <EmailField error={error} />
            <PasswordField error={error} />
          </>
        )}
      />
      <Group justify="space-between">
        <Anchor href="/reset-password">Forgotten password</Anchor>
        <Anchor href="/sign-up">Sign up</Anchor>
      </Group>
    </Frame>
  );
};
