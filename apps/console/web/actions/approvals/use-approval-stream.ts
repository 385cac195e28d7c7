import { useEffect, useState } from 'react';
import { client } from '../../data/client.ts';
import { refresh } from '../../data/use-operation.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** How often lists are read while no stream is open, and as a safety net while one is. */
const POLL_MS = { false: 5_000, true: 60_000 } as const;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
  });

/** Reads one stream until it ends. Returns the id to resume after. */
const followOnce = async (lastId: string, signal: AbortSignal, onOpen: () => void): Promise<string> => {
  const headers = lastId === '' ? {} : { 'last-event-id': lastId };
  const answer = await client.request('streamApprovals', { headers, signal });
  // An id that is too old is refused: the lists are read again, and the stream starts from now.
  if (!answer.ok) return '';
  onOpen();
  let reached = lastId;
  for await (const { id, event } of answer.body) {
    if (id !== '') reached = id;
    if (event === 'message') await refresh('listApprovals', 'getApproval', 'listApprovers');
  }
  return reached;
};

const follow = async (signal: AbortSignal, onLive: (isLive: boolean) => void): Promise<void> => {
  let lastId = '';
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    try {
      lastId = await followOnce(lastId, signal, () => {
        waitMs = FIRST_WAIT_MS;
        onLive(true);
        // Whatever changed before the stream was open.
        void refresh('listApprovals', 'getApproval');
      });
    } catch (error) {
      if (signal.aborted) return;
      // A connection that breaks rejects with a TypeError; the stream is opened again.
      if (!(error instanceof Error)) throw error;
    }
    onLive(false);
    await pause(waitMs, signal);
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  }
};

/** Reads approvals again when one changes. Returns how often they have to be read besides, in milliseconds. */
export const useApprovalStream = (): number => {
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    const leave = new AbortController();
    void follow(leave.signal, setLive);
    return () => leave.abort();
  }, []);
  return POLL_MS[`${isLive}`];
};
