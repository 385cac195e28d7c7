import { Anchor, Button, Group } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { type Answer, type ApiError, call } from '../../data/call.ts';
import { type Factors, getFactors } from '../../data/factors.ts';
import { makePasskey } from '../../data/passkeys.ts';
import { getSession, type Session, signInFirst } from '../../data/session.ts';
import { Codes } from './recovery-codes.tsx';
import { Frame } from '../../layout/public-page.tsx';
import { Problem } from '../../design/problem.tsx';
import { SignedIn } from '../../layout/console-page.tsx';
import { StepUp } from './step-up.tsx';
import { Known } from './known.tsx';
import { type Begun, type Enrolled, Totp } from './totp.tsx';

const enrolPasskey = async (): Promise<Answer<Enrolled>> => {
  const asked = await call<{ readonly public_key: unknown }>('POST', '/v1/auth/mfa/passkeys/options', { purpose: 'ENROL' });
  if (!asked.ok) return asked;
  const passkey = await makePasskey(asked.body);
  return passkey.ok ? call('POST', '/v1/auth/mfa/passkeys', { passkey: passkey.body }) : passkey;
};

type Shown = { readonly title: string; readonly codes: readonly string[] };

const Done = ({ shown: { title, codes } }: { readonly shown: Shown }): ReactNode => (
  <Frame title={title}>
    {codes.length > 0 ? <Codes codes={codes} /> : null}
    <Anchor href="/account">Continue</Anchor>
  </Frame>
);

const ENROLLED = 'The second factor is enrolled';
const RENEWED = 'Your new recovery codes';

type AddProps = { readonly onBegun: (begun: Begun) => void; readonly onEnrolled: (enrolled: Enrolled) => void; readonly hasBegun: boolean };

/** Each begins with a fresh proof where a factor or a password is there to give one. */
const Add = ({ onBegun, onEnrolled, hasBegun }: AddProps): ReactNode => {
  const [error, setError] = useState<ApiError>();
  const take = <Body,>(answer: Answer<Body>, then: (body: Body) => void): void => {
    setError(answer.ok ? undefined : answer.error);
    if (answer.ok) then(answer.body);
  };
  if (error?.code === 'STEP_UP_REQUIRED') return <StepUp onDone={() => setError(undefined)} />;
  return (
    <>
      <Problem error={error} />
      <Group>
        {hasBegun ? null : (
          <Button onClick={() => void call<Begun>('POST', '/v1/auth/mfa/totp', {}).then((answer) => take(answer, onBegun))}>
            Add an app
          </Button>
        )}
        <Button variant="default" onClick={() => void enrolPasskey().then((answer) => take(answer, onEnrolled))}>
          Add a passkey
        </Button>
      </Group>
    </>
  );
};

/** Enrols an app for one-time codes or a passkey, also for whoever reaches nothing else before, and takes either away. */
export const SecondFactor = (): ReactNode => {
  const [session, setSession] = useState<Session>();
  const [factors, setFactors] = useState<Factors>();
  const [begun, setBegun] = useState<Begun>();
  const [shown, setShown] = useState<Shown>();
  const look = useCallback(async (): Promise<void> => {
    const answer = await getFactors();
    if (answer.ok) setFactors(answer.body);
    else signInFirst();
  }, []);
  useEffect(() => {
    // The session tells its token against forged requests; what it may not tell yet comes with the factors.
    void getSession().then((answer) => {
      if (answer.ok) setSession(answer.body);
      return look();
    });
  }, [look]);
  if (shown) return <Done shown={shown} />;
  if (!factors || !session) return null;
  const onEnrolled = ({ recovery_codes = [] }: Enrolled): void => setShown({ title: ENROLLED, codes: recovery_codes });
  const content = (
    <>
      {begun ? (
        <Totp begun={begun} onEnrolled={onEnrolled} />
      ) : (
        <Known factors={factors} onChange={() => void look()} onCodes={(codes) => setShown({ title: RENEWED, codes })} />
      )}
      <Add onBegun={setBegun} onEnrolled={onEnrolled} hasBegun={begun !== undefined} />
    </>
  );
  // Whoever has to enrol one first finds every other page closed.
  if (factors.required) return <Frame title="Second factors">{content}</Frame>;
  return (
    <SignedIn session={session} title="Second factors">
      {content}
    </SignedIn>
  );
};
