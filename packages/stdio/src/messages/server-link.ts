import { deriveIdKey, type Id, isId, newMessage, type StdioMessage } from './message.ts';

/** A request that the server did not answer: in time, or before it ended. Its outcome is not known. */
export class NoAnswer extends Error {
  readonly reason: 'TIMEOUT' | 'ENDED' | 'CANCELLED';

  constructor(reason: NoAnswer['reason']) {
    super(`The server gave no answer: ${reason}.`);
    this.reason = reason;
  }
}

type Waiting = { readonly resolve: (answer: StdioMessage) => void; readonly reject: (error: NoAnswer) => void };

/** Requests to a server that wait for their answers. */
export type ServerLink = {
  readonly pending: () => number;
  readonly isPending: (id: Id) => boolean;
  /** Sends a request, and resolves to its answer. */
  readonly request: (id: Id, message: StdioMessage) => Promise<StdioMessage>;
  readonly send: (message: StdioMessage) => void;
  /** Takes an answer. False if no request waits for it. */
  readonly answer: (message: StdioMessage) => boolean;
  /** Gives up a request whose caller cancelled it. */
  readonly cancel: (id: Id) => void;
  /** Gives up all requests: the server ended. */
  readonly close: () => void;
};

export const newServerLink = (write: (line: string) => void, timeoutMs: number): ServerLink => {
  const waiting = new Map<string, Waiting>();
  const send = ({ line }: StdioMessage): void => write(line);
  const fail = (key: string, reason: NoAnswer['reason']): void => waiting.get(key)?.reject(new NoAnswer(reason));
  return {
    send,
    pending: () => waiting.size,
    isPending: (id) => waiting.has(deriveIdKey(id)),
    request: async (id, message) => {
      const key = deriveIdKey(id);
      const timer = setTimeout(() => {
        send(newMessage({ method: 'notifications/cancelled', params: { requestId: id, reason: 'No answer in time.' } }));
        fail(key, 'TIMEOUT');
      }, timeoutMs);
      try {
        return await new Promise<StdioMessage>((resolve, reject) => {
          waiting.set(key, { resolve, reject });
          send(message);
        });
      } finally {
        clearTimeout(timer);
        waiting.delete(key);
      }
    },
    answer: (message) => {
      const { id } = message.value;
      const found = isId(id) ? waiting.get(deriveIdKey(id)) : undefined;
      found?.resolve(message);
      return found !== undefined;
    },
    cancel: (id) => fail(deriveIdKey(id), 'CANCELLED'),
    close: () => {
      for (const key of [...waiting.keys()]) fail(key, 'ENDED');
    },
  };
};
