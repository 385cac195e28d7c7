import { Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { type ApiError, call } from '../../data/call.ts';
import { Problem } from '../../design/problem.tsx';

type ByDeviceProps = { readonly challenge: string; readonly onDone: () => void };
type Asked = { readonly device_approval?: { readonly id: string; readonly number: number; readonly status: string } };

const ASK_EVERY_MS = 3_000;

/** Asks the devices that are signed in, and goes on asking how that stands until somebody has decided. */
export const ByDevice = ({ challenge, onDone }: ByDeviceProps): ReactNode => {
  const [error, setError] = useState<ApiError>();
  const [asked, setAsked] = useState<Asked['device_approval']>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const ask = async (): Promise<void> => {
      const answer = await call<Asked>('POST', '/v1/auth/mfa/challenge', { mfa_challenge: challenge, method: 'DEVICE' });
      if (!answer.ok) return setError(answer.error);
      const { device_approval: told } = answer.body;
      setAsked(told);
      if (told?.status === 'PENDING') timer = setTimeout(() => void ask(), ASK_EVERY_MS);
      if (told?.status !== 'APPROVED') return;
      const verified = await call('POST', '/v1/auth/mfa/verify', { mfa_challenge: challenge, device_approval_id: told.id });
      if (verified.ok) onDone();
      else setError(verified.error);
    };
    void ask();
    return () => clearTimeout(timer);
  }, [challenge, onDone]);
  const isOver = asked?.status === 'DENIED' || asked?.status === 'EXPIRED';
  return (
    <>
      <Problem error={error} />
      <Text role="status">
        {isOver
          ? 'Nobody let this sign-in go on. Take another way.'
          : 'Open /device-approvals where you are signed in already, and type this number there:'}
      </Text>
      {isOver ? null : <p className="pairing-code">{asked?.number}</p>}
    </>
  );
};
