import type { OperationResult } from '@svc/client/client-types.ts';
import { type ReactNode, useState } from 'react';
import { client, type OperationBody } from '../../data/client.ts';
import { useMutation } from '../../data/use-mutation.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Facts } from '../../design/facts.tsx';
import { Button, Group, Text } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { Time } from '../../design/time.tsx';
import { Warning } from '../../design/warning.tsx';
import { PublicPage } from '../../layout/public-page.tsx';

type Request = OperationResult<'getStepUpRequest'>;
type Decision = 'confirmed' | 'ended';

const RESULTS: Readonly<Record<Decision, readonly [title: string, text: string]>> = {
  confirmed: ['Confirmed', 'Return to your terminal. You can close this window.'],
  ended: ['Session ended', 'That session can no longer act as you. If you did not start it, change your password.'],
};

type DecideProps = { readonly sessionId: string; readonly request: Request; readonly onDecided: (decision: Decision) => void };

/** The device is a claim of the terminal and proves nothing; code and address are verified. */
const Decide = ({ sessionId, request, onDecided }: DecideProps): ReactNode => {
  const params = { sessionId };
  const body = { user_code: request.user_code } as OperationBody<'approveStepUpRequest'>;
  const approve = useMutation(
    () => client.request('approveStepUpRequest', { params, body }),
    () => onDecided('confirmed'),
  );
  const end = useMutation(
    () => client.request('endSession', { params }),
    () => onDecided('ended'),
  );
  return (
    <PublicPage title="Confirm for your terminal?">
      <Problem error={approve.error ?? end.error} />
      <Text>Check that your terminal shows this code. Guarded commands then run in that session for some minutes.</Text>
      <p className="pairing-code">{request.user_code}</p>
      {request.same_address ? null : (
        <Warning title="The terminal has a different IP address">
          This is normal on a remote machine, for example over SSH. Otherwise end the session.
        </Warning>
      )}
      <Facts
        facts={[
          ['Device', request.device],
          ['IP address', request.source_ip],
          ['Requested', <Time key="requested" at={request.requested_at} />],
        ]}
      />
      <Group>
        <Button loading={approve.isPending} onClick={() => void approve.run(undefined)}>
          Confirm
        </Button>
        <Button variant="default" loading={end.isPending} onClick={() => void end.run(undefined)}>
          Not me: end that session
        </Button>
      </Group>
    </PublicPage>
  );
};

/** The step-up that a terminal requests, for its person to give in this browser. */
export const StepUpRequest = (): ReactNode => {
  const sessionId = new URLSearchParams(location.search).get('session_id') ?? '';
  const { data, error } = useOperation('getStepUpRequest', { params: { sessionId } }, { isEnabled: sessionId !== '', isOnce: true });
  const [decision, setDecision] = useState<Decision>();
  if (decision) {
    const [title, text] = RESULTS[decision];
    return (
      <PublicPage title={title}>
        <Text>{text}</Text>
      </PublicPage>
    );
  }
  if (data) return <Decide sessionId={sessionId} request={data} onDecided={setDecision} />;
  if (sessionId === '')
    return (
      <PublicPage title="Confirm for your terminal">
        <Text>Open the address that your terminal shows.</Text>
      </PublicPage>
    );
  return <PublicPage title="Confirm for your terminal">{error ? <Problem error={error} /> : <Skeleton lines={4} />}</PublicPage>;
};
