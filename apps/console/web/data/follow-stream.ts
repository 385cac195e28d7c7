import type { CallOutcome, StreamMessage } from '@svc/client/client-types.ts';
import { useEffect, useRef, useState } from 'react';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** Opens a stream after the message of an id; an empty id starts from now. */
export type OpenStream = (options: {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}) => Promise<CallOutcome<AsyncGenerator<StreamMessage<unknown>>>>;

type Listener = { readonly onOpen: () => void; readonly onMessage: () => void; readonly onLive: (isLive: boolean) => void };

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
const followOnce = async (
  open: OpenStream,
  lastId: string,
  signal: AbortSignal,
  { onOpen, onMessage, onLive }: Listener,
): Promise<string> => {
  const answer = await open({ headers: lastId === '' ? {} : { 'last-event-id': lastId }, signal });
  // An id that is too old is refused; the next stream starts from now.
  if (!answer.ok) return '';
  onLive(true);
  onOpen();
  let reached = lastId;
  for await (const { id, event } of answer.body) {
    if (id !== '') reached = id;
    if (event === 'message') onMessage();
  }
  return reached;
};

const follow = async (open: OpenStream, signal: AbortSignal, listener: Listener): Promise<void> => {
  let lastId = '';
  let waitMs = FIRST_WAIT_MS;
  const onOpen = (): void => {
    waitMs = FIRST_WAIT_MS;
    listener.onOpen();
  };
  while (!signal.aborted) {
    try {
      lastId = await followOnce(open, lastId, signal, { ...listener, onOpen });
    } catch (error) {
      if (signal.aborted) return;
      // A connection that breaks rejects with a TypeError; the stream is opened again.
      if (!(error instanceof Error)) throw error;
    }
    listener.onLive(false);
    await pause(waitMs, signal);
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  }
};

/** Follows a stream while the page is shown and `isEnabled`, and opens it again when it ends. Returns true while it is open. */
export const useStream = (key: string, open: OpenStream, onChange: () => void, isEnabled = true): boolean => {
  const [isLive, setLive] = useState(false);
  const current = useRef({ open, onChange });
  current.current = { open, onChange };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what is opened
  useEffect(() => {
    if (!isEnabled) return undefined;
    const leave = new AbortController();
    const changed = (): void => current.current.onChange();
    const listener = { onOpen: changed, onMessage: changed, onLive: setLive };
    void follow((options) => current.current.open(options), leave.signal, listener).finally(() => setLive(false));
    return () => leave.abort();
  }, [key, isEnabled]);
  return isLive;
};
