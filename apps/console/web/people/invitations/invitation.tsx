import { Button, Text } from '@mantine/core';
import { ServiceError } from '@svc/client/errors.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { type Answer, type ApiError, call } from '../../data/call.ts';
import { type Challenge, getSession, isChallenge, type Session, type SignInAnswer } from '../../data/session.ts';
import { NewPasswordField, PasswordField, TextField } from '../../design/fields.tsx';
import type { Values } from '../../design/form.tsx';
import { Form } from '../../design/form.tsx';
import { Problem } from '../../design/problem.tsx';
import { HOME } from '../../layout/console-page.tsx';
import { PublicPage } from '../../layout/public-page.tsx';
import { FactorStep } from '../auth/factor-step.tsx';

type Told = {
  readonly organization: { readonly name: string };
  readonly email: string;
  readonly role: { readonly name: string };
  readonly invited_by: string | null;
  readonly has_account: boolean;
};

/** Behind the `#`, so that no server on the way writes it down. */
const codeOfAddress = (): string => new URLSearchParams(location.hash.slice(1)).get('code') ?? '';

const NOT_WHOLE = new ServiceError({
  code: 'GONE',
  message: 'This link is not whole.',
  remedy: 'Open it again from the mail, from its first letter to its last, or ask for the invitation to be sent again.',
});
const goOn = (): void => location.assign(HOME);

const Accept = ({ told, onAnswer }: { readonly told: Told; readonly onAnswer: (answer: SignInAnswer) => void }): ReactNode => {
  const send = (values: Values): Promise<Answer<SignInAnswer>> =>
    call('POST', '/v1/auth/invitations/accept', { code: codeOfAddress(), ...values });
  return (
    <Form
      submit="Join"
      send={send}
      then={onAnswer}
      fields={(error) =>
        told.has_account ? (
          <PasswordField error={error} />
        ) : (
          <>
            <TextField error={error} name="name" label="Your name" autoComplete="name" />
            <NewPasswordField error={error} />
          </>
        )
      }
    />
  );
};

const Join = (): ReactNode => {
  const [error, setError] = useState<ApiError>();
  const join = async (): Promise<void> => {
    const answer = await call('POST', '/v1/auth/invitations/join', { code: codeOfAddress() });
    if (answer.ok) goOn();
    else setError(answer.error);
  };
  return (
    <>
      <Problem error={error} />
      <Button onClick={() => void join()}>Join</Button>
    </>
  );
};

export const Invitation = (): ReactNode => {
  const [told, setTold] = useState<Told>();
  const [session, setSession] = useState<Session>();
  const [error, setError] = useState<ApiError>();
  const [challenge, setChallenge] = useState<Challenge>();
  useEffect(() => {
    void getSession().then((answer) => (answer.ok ? setSession(answer.body) : undefined));
    if (codeOfAddress() === '') return setError(NOT_WHOLE);
    void call<Told>('POST', '/v1/auth/invitations/read', { code: codeOfAddress() }).then((answer) =>
      answer.ok ? setTold(answer.body) : setError(answer.error),
    );
  }, []);
  if (challenge) return <FactorStep challenge={challenge} onDone={goOn} />;
  const onAnswer = (answer: SignInAnswer): void => (isChallenge(answer) ? setChallenge(answer) : goOn());
  const isTheirs = told !== undefined && session?.user?.email === told.email;
  return (
    <PublicPage title="Invitation">
      <Problem error={error} />
      {told ? (
        <>
          <Text>
            {told.invited_by ?? 'Somebody'} invites {told.email} to <strong>{told.organization.name}</strong> as {told.role.name}.
          </Text>
          {isTheirs ? <Join /> : <Accept told={told} onAnswer={onAnswer} />}
        </>
      ) : null}
    </PublicPage>
  );
};
