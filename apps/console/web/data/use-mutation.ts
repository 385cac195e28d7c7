import { ServiceError } from '@svc/client/errors.ts';
import { useState } from 'react';
import type { ApiAnswer, ApiError } from './answer.ts';
import { useResumeSession } from './resume-session.ts';
import { useConfirmIdentity } from './step-up.ts';
import { getKnownSession } from './use-session.ts';

/** A change that a page makes: sent once per `run`, with the error of the last attempt. */
export type Mutation<Sent> = {
  readonly run: (sent: Sent) => Promise<void>;
  readonly error: ApiError | undefined;
  readonly isPending: boolean;
};

const NOT_CONFIRMED = new ServiceError({
  code: 'STEP_UP_REQUIRED',
  message: 'Your identity was not confirmed, so nothing was changed.',
});

const SESSION_ENDED: readonly string[] = ['UNAUTHENTICATED', 'SESSION_EXPIRED'];

/** Sends a change. If the service requires a step-up, or the session ended, asks the person in a dialog and sends the same change again. */
export const useMutation = <Sent, Body>(
  send: (sent: Sent) => Promise<ApiAnswer<Body>>,
  then: (body: Body) => void,
  onFailure?: (error: ApiError) => void,
): Mutation<Sent> => {
  const confirmIdentity = useConfirmIdentity();
  const [error, setError] = useState<ApiError>();
  const [isPending, setPending] = useState(false);
  const resumeSession = useResumeSession();
  const sendInSession = async (sent: Sent): Promise<ApiAnswer<Body>> => {
    const answer = await send(sent);
    if (answer.ok || !SESSION_ENDED.includes(answer.error.code) || getKnownSession() === undefined) return answer;
    return (await resumeSession()) ? send(sent) : answer;
  };
  const sendConfirmed = async (sent: Sent): Promise<ApiAnswer<Body>> => {
    const answer = await sendInSession(sent);
    if (answer.ok || answer.error.code !== 'STEP_UP_REQUIRED') return answer;
    return (await confirmIdentity()) ? send(sent) : { ok: false, error: NOT_CONFIRMED };
  };
  const run = async (sent: Sent): Promise<void> => {
    setPending(true);
    setError(undefined);
    const answer = await sendConfirmed(sent);
    setPending(false);
    if (answer.ok) then(answer.body);
    else {
      setError(answer.error);
      onFailure?.(answer.error);
    }
  };
  return { run, error, isPending };
};
