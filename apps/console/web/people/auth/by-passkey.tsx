import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type Answer, type ApiError, call } from '../../data/call.ts';
import { proveByPasskey } from '../../data/passkeys.ts';
import type { Session } from '../../data/session.ts';
import { Problem } from '../../design/problem.tsx';

type ByPasskeyProps = { readonly challenge: string; readonly onDone: () => void };

const prove = async (mfa_challenge: string): Promise<Answer<Session>> => {
  const asked = await call<{ readonly public_key: unknown }>('POST', '/v1/auth/mfa/challenge', { mfa_challenge, method: 'PASSKEY' });
  if (!asked.ok) return asked;
  const passkey = await proveByPasskey(asked.body);
  return passkey.ok ? call('POST', '/v1/auth/mfa/verify', { mfa_challenge, passkey: passkey.body }) : passkey;
};

export const ByPasskey = ({ challenge, onDone }: ByPasskeyProps): ReactNode => {
  const [error, setError] = useState<ApiError>();
  const onClick = async (): Promise<void> => {
    const answer = await prove(challenge);
    if (answer.ok) onDone();
    else setError(answer.error);
  };
  return (
    <>
      <Problem error={error} />
      <Button onClick={() => void onClick()}>Use a passkey</Button>
    </>
  );
};
