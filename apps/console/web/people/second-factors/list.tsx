import { type ReactNode, useState } from 'react';
import { client } from '../../data/client.ts';
import { enrolPasskey } from '../../data/passkeys.ts';
import { useMutation } from '../../data/use-mutation.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { refreshSession } from '../../data/use-session.ts';
import { Anchor, Button } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { ConsolePage, HOME } from '../../layout/console-page.tsx';
import { EnrolledFactors } from './enrolled.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { type Enrolled, type Started, Totp } from './totp.tsx';

type Shown = { readonly title: string; readonly codes: readonly string[] };

const Done = ({ shown: { title, codes } }: { readonly shown: Shown }): ReactNode => (
  <ConsolePage title={title}>
    {codes.length > 0 ? <RecoveryCodes codes={codes} /> : null}
    <Anchor href={HOME}>Continue</Anchor>
  </ConsolePage>
);

const ENROLLED = 'The second factor is added';
const RENEWED = 'Your new recovery codes';

/** Adds an authenticator app for one-time codes or a passkey, and removes either; also for people who must add one before anything else. */
export const SecondFactors = (): ReactNode => {
  const { data: factors, error } = useOperation('getMfa', {});
  const [started, setStarted] = useState<Started>();
  const [shown, setShown] = useState<Shown>();
  const onEnrolled = ({ recovery_codes = [] }: Enrolled): void => {
    void refreshSession();
    void refresh('getMfa');
    setShown({ title: ENROLLED, codes: recovery_codes });
  };
  const app = useMutation(() => client.request('enrolTotp', { body: {} }), setStarted);
  const passkey = useMutation(enrolPasskey, onEnrolled);
  if (shown) return <Done shown={shown} />;
  const actions = (
    <>
      {started ? null : (
        <Button loading={app.isPending} onClick={() => void app.run(undefined)}>
          Add app
        </Button>
      )}
      <Button variant="default" loading={passkey.isPending} onClick={() => void passkey.run(undefined)}>
        Add passkey
      </Button>
    </>
  );
  return (
    <ConsolePage title="Second factors" actions={actions}>
      <Problem error={app.error ?? passkey.error ?? error ?? undefined} />
      {factors === undefined && !error ? <Skeleton lines={4} /> : null}
      {started ? <Totp started={started} onEnrolled={onEnrolled} /> : null}
      {factors && !started ? <EnrolledFactors factors={factors} onCodes={(codes) => setShown({ title: RENEWED, codes })} /> : null}
    </ConsolePage>
  );
};
