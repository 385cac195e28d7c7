import { type ReactNode, useState } from 'react';
import { client } from '../../data/client.ts';
import { signInWithPasskey } from '../../data/passkeys.ts';
import { type Challenge, getChallengeOfAddress, getNextPath, isChallenge } from '../../data/session.ts';
import { useMutation } from '../../data/use-mutation.ts';
import { EmailField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Anchor, Button, Group, Stack } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { PasswordField } from '../../design/secret-fields.tsx';
import { PublicPage } from '../../layout/public-page.tsx';
import { FactorStep } from './factor-step.tsx';

const goOn = (): void => location.assign(getNextPath());

/** Goes to the provider of the address's domain. */
const goToProvider = (): void => {
  const input = document.querySelector<HTMLInputElement>('input[name=email]');
  if (input?.value) location.assign(`/v1/auth/sso/start?${new URLSearchParams({ email: input.value, return_to: getNextPath() })}`);
  else input?.reportValidity();
};

export const SignIn = (): ReactNode => {
  const [challenge, setChallenge] = useState<Challenge | undefined>(getChallengeOfAddress);
  const then = (answer: object): void => (isChallenge(answer) ? setChallenge(answer) : goOn());
  const passkey = useMutation(signInWithPasskey, then);
  if (challenge) return <FactorStep challenge={challenge} onDone={goOn} />;
  return (
    <PublicPage title="Sign in">
      <Form
        submit="Sign in"
        send={({ email = '', password = '' }) => client.request('login', { body: { email, password } })}
        then={then}
        fields={(fault) => (
          <>
            <EmailField error={fault} />
            <PasswordField error={fault} />
          </>
        )}
      />
      <Problem error={passkey.error} />
      <Stack gap="xs">
        <Button variant="default" loading={passkey.isPending} onClick={() => void passkey.run(undefined)}>
          Use a passkey
        </Button>
        <Button variant="default" onClick={goToProvider}>
          Single sign-on
        </Button>
      </Stack>
      <Group justify="space-between">
        <Anchor href="/reset-password">Forgot password?</Anchor>
        <Anchor href="/sign-up">Sign up</Anchor>
      </Group>
    </PublicPage>
  );
};
