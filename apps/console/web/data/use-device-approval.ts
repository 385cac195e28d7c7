import type { ServiceError } from '@svc/client/errors.ts';
import { useEffect, useState } from 'react';
import { client } from './client.ts';
import { useOperation } from './use-operation.ts';

const POLL_MS = 3_000;

type DeviceApproval = {
  /** The number to enter on the other device; undefined while it loads. */
  readonly number: number | undefined;
  readonly isEnded: boolean;
  readonly error: ServiceError | undefined;
};

/** Asks the devices that are signed in to approve a sign-in, until someone decides; then completes the sign-in. */
export const useDeviceApproval = (challenge: string, onDone: () => void): DeviceApproval => {
  const [failure, setFailure] = useState<ServiceError>();
  const [isDecided, setDecided] = useState(false);
  const { data, error } = useOperation(
    'prepareMfa',
    { body: { mfa_challenge: challenge, method: 'DEVICE' } },
    { isEnabled: !isDecided, everyMs: POLL_MS },
  );
  const approval = data?.device_approval;
  const { id, status } = approval ?? {};
  useEffect(() => {
    if (status === undefined || status === 'PENDING') return;
    setDecided(true);
    if (status !== 'APPROVED' || id === undefined) return;
    void client
      .request('verifyMfa', { body: { mfa_challenge: challenge, device_approval_id: id } })
      .then((answer) => (answer.ok ? onDone() : setFailure(answer.error)));
  }, [id, status, challenge, onDone]);
  return { number: approval?.number, isEnded: status === 'DENIED' || status === 'EXPIRED', error: failure ?? error ?? undefined };
};
