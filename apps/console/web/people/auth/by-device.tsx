import type { ReactNode } from 'react';
import { useDeviceApproval } from '../../data/use-device-approval.ts';
import { Text } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';

type ByDeviceProps = { readonly challenge: string; readonly onDone: () => void };

/** Completes a sign-in with the approval of a device that is signed in. */
export const ByDevice = ({ challenge, onDone }: ByDeviceProps): ReactNode => {
  const { number, isEnded, error } = useDeviceApproval(challenge, onDone);
  return (
    <>
      <Problem error={error} />
      <Text role="status">
        {isEnded
          ? 'The sign-in was not approved. Choose another way.'
          : 'On a device where you are signed in, open /device-approvals and enter this number:'}
      </Text>
      {isEnded ? null : <p className="pairing-code">{number}</p>}
    </>
  );
};
