import { Anchor, Button, Group } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { type Answer, type ApiError, call } from '../../data/call.ts';
import { type Factors, getFactors } from '../../data/factors.ts';
import { makePasskey } from '../../data/passkeys.ts';
import { useMutation } from '../../data/use-mutation.ts';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { ConsolePage, HOME } from '../../layout/console-page.tsx';
import { refreshSession } from '../../layout/use-session.ts';
import { Known } from './known.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { type Begun, type Enrolled, Totp } from './totp.tsx';

const enrolPasskey = async (): Promise<Answer<Enrolled>> => {
  const asked = await call<{ readonly public_key: unknown }>('POST', '/v1/auth/mfa/passkeys/options', { purpose: 'ENROL' });
  if (!asked.ok) return asked;
  const passkey = await makePasskey(asked.body);
  return passkey.ok ? call('POST', '/v1/auth/mfa/passkeys', { passkey: passkey.body }) : passkey;
};

type Shown = { readonly title: string; readonly codes: readonly string[] };

const Done = ({ shown: { title, codes } }: { readonly shown: Shown }): ReactNode => (
  <ConsolePage title={title}>
    {codes.length > 0 ? <RecoveryCodes codes={codes} /> : null}
    <Anchor href={HOME}>Continue</Anchor>
  </ConsolePage>
);

const ENROLLED = 'The second factor is enrolled';
const RENEWED = 'Your new recovery codes';

type AddProps = { readonly onBegun: (begun: Begun) => void; readonly onEnrolled: (enrolled: Enrolled) => void; readonly hasBegun: boolean };

/** Each starts with a step-up where there is a factor or a password to confirm with. */
const Add = ({ onBegun, onEnrolled, hasBegun }: AddProps): ReactNode => {
  const app = useMutation(() => call<Begun>('POST', '/v1/auth/mfa/totp', {}), onBegun);
  const passkey = useMutation(enrolPasskey, onEnrolled);
  return (
    <>
      <Problem error={app.error ?? passkey.error} />
      <Group>
        {hasBegun ? null : (
          <Button loading={app.isPending} onClick={() => void app.run(undefined)}>
            Add an app
          </Button>
        )}
        <Button variant="default" loading={passkey.isPending} onClick={() => void passkey.run(undefined)}>
          Add a passkey
        </Button>
      </Group>
    </>
  );
};

/** Enrols an app for one-time codes or a passkey, and removes either; also for people who must enrol one before anything else. */
export const SecondFactors = (): ReactNode => {
  const [factors, setFactors] = useState<Factors>();
  const [error, setError] = useState<ApiError>();
  const [begun, setBegun] = useState<Begun>();
  const [shown, setShown] = useState<Shown>();
  const look = useCallback(async (): Promise<void> => {
    const answer = await getFactors();
    if (answer.ok) setFactors(answer.body);
    else setError(answer.error);
  }, []);
  useEffect(() => void look(), [look]);
  if (shown) return <Done shown={shown} />;
  const onEnrolled = ({ recovery_codes = [] }: Enrolled): void => {
    void refreshSession();
    setShown({ title: ENROLLED, codes: recovery_codes });
  };
  return (
    <ConsolePage title="Second factors">
      <Problem error={error} />
      {factors === undefined ? (
        <Skeleton lines={4} />
      ) : (
        <>
          {begun ? (
            <Totp begun={begun} onEnrolled={onEnrolled} />
          ) : (
            <Known factors={factors} onChange={() => void look()} onCodes={(codes) => setShown({ title: RENEWED, codes })} />
          )}
          <Add onBegun={setBegun} onEnrolled={onEnrolled} hasBegun={begun !== undefined} />
        </>
      )}
    </ConsolePage>
  );
};
