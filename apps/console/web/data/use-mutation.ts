import { useState } from 'react';
import type { Answer, ApiError } from './call.ts';

/** What somebody does on a page: sent once, with what came of it. */
export type Deed<Sent> = {
  readonly run: (sent: Sent) => Promise<void>;
  readonly error: ApiError | undefined;
  readonly isUnderWay: boolean;
  /** Set where a fresh proof of who it is is asked for first: sends the same again. */
  readonly again: (() => void) | undefined;
};

export const useDeed = <Sent, Body>(send: (sent: Sent) => Promise<Answer<Body>>, then: (body: Body) => void): Deed<Sent> => {
  const [error, setError] = useState<ApiError>();
  const [isUnderWay, setUnderWay] = useState(false);
  const [held, setHeld] = useState<{ readonly sent: Sent }>();
  const run = async (sent: Sent): Promise<void> => {
    setUnderWay(true);
    setError(undefined);
    const answer = await send(sent);
    setUnderWay(false);
    if (answer.ok) then(answer.body);
    else if (answer.error.code === 'STEP_UP_REQUIRED') setHeld({ sent });
    else setError(answer.error);
  };
  const again = (): void => {
    setHeld(undefined);
    if (held) void run(held.sent);
  };
  return { run, error, isUnderWay, again: held ? again : undefined };
};
