import { Anchor, Button, Group, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { type Answer, type ApiError, call } from '../api/call.ts';
import { makePasskey } from '../api/passkeys.ts';
import { signInFirst } from '../api/session.ts';
import { Frame } from '../frame/frame.tsx';
import { Problem } from '../frame/problem.tsx';
import { StepUp } from './enrol/step-up.tsx';
import { type Begun, type Enrolled, Totp } from './enrol/totp.tsx';

type Factors = {
  readonly required: boolean;
  readonly factors: readonly { readonly id: string; readonly name: string; readonly kind: string }[];
};

const enrolPasskey = async (): Promise<Answer<Enrolled>> => {
  const asked = await call<{ readonly public_key: unknown }>('POST', '/v1/auth/mfa/passkeys/options', { purpose: 'ENROL' });
  if (!asked.ok) return asked;
  const passkey = await makePasskey(asked.body);
  return passkey.ok ? call('POST', '/v1/auth/mfa/passkeys', { passkey: passkey.body }) : passkey;
};

const Done = ({ enrolled: { recovery_codes = [] } }: { readonly enrolled: Enrolled }): ReactNode => (
  <Frame title="The second factor is enrolled">
    {recovery_codes.length > 0 ? (
      <>
        <Text>Keep these codes where you find them without your device. Each stands for it once, and they are not shown again.</Text>
        <ul className="codes">
          {recovery_codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </>
    ) : null}
    <Anchor href="/account">Go on</Anchor>
  </Frame>
);

const Known = ({ factors: { factors, required } }: { readonly factors: Factors }): ReactNode => (
  <>
    {required ? <Text>Your organization asks everybody for a second factor. Nothing else is open until you have one.</Text> : null}
    {factors.length === 0 ? <Text>You have none yet.</Text> : null}
    <ul>
      {factors.map(({ id, name, kind }) => (
        <li key={id}>
          {name} ({kind === 'TOTP' ? 'app' : 'passkey'})
        </li>
      ))}
    </ul>
  </>
);

/** Enrols an app for one-time codes or a passkey, also for whoever reaches nothing else before. */
export const Enrol = (): ReactNode => {
  const [factors, setFactors] = useState<Factors>();
  const [begun, setBegun] = useState<Begun>();
  const [enrolled, setEnrolled] = useState<Enrolled>();
  const [error, setError] = useState<ApiError>();
  useEffect(() => {
    // The session tells its token against forged requests; what it may not tell yet comes with the factors.
    void call('GET', '/v1/auth/session')
      .then(() => call<Factors>('GET', '/v1/auth/mfa'))
      .then((answer) => (answer.ok ? setFactors(answer.body) : signInFirst()));
  }, []);
  if (enrolled) return <Done enrolled={enrolled} />;
  if (!factors) return null;
  const take = <Body,>(answer: Answer<Body>, then: (body: Body) => void): void => (answer.ok ? then(answer.body) : setError(answer.error));
  const beginTotp = async (): Promise<void> => take(await call<Begun>('POST', '/v1/auth/mfa/totp', {}), setBegun);
  const beginPasskey = async (): Promise<void> => take(await enrolPasskey(), setEnrolled);
  if (error?.code === 'STEP_UP_REQUIRED')
    return (
      <Frame title="Second factors">
        <StepUp onDone={() => setError(undefined)} />
      </Frame>
    );
  return (
    <Frame title="Second factors">
      <Problem error={error} />
      {begun ? <Totp begun={begun} onEnrolled={setEnrolled} /> : <Known factors={factors} />}
      <Group>
        {begun ? null : <Button onClick={() => void beginTotp()}>Add an app</Button>}
        <Button variant="default" onClick={() => void beginPasskey()}>
          Add a passkey
        </Button>
      </Group>
    </Frame>
  );
};
