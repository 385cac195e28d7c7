import type { ReactNode } from 'react';
import { verifyWithPasskey } from '../../data/passkeys.ts';
import { useMutation } from '../../data/use-mutation.ts';
import { Button } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';

type ByPasskeyProps = { readonly challenge: string; readonly onDone: () => void };

export const ByPasskey = ({ challenge, onDone }: ByPasskeyProps): ReactNode => {
  const { run, error, isPending } = useMutation(() => verifyWithPasskey(challenge), onDone);
  return (
    <>
      <Problem error={error} />
      <Button loading={isPending} onClick={() => void run(undefined)}>
        Use a passkey
      </Button>
    </>
  );
};
