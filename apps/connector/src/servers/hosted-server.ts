import { type MessageMembers, newMessage } from '@svc/stdio/messages/message.ts';
import type { ServerCommand } from '@svc/stdio/process/start-server.ts';
import { type NotRunning, newLifecycle, type OnServerEvent, type Running, type StartOptions } from './lifecycle.ts';

export type ServerLimits = StartOptions & { readonly callsMax: number; readonly idleMs: number };

/** The answer to a request: that of the server, or why there is none. */
export type HostedAnswer = { readonly kind: 'ANSWERED'; readonly value: MessageMembers } | { readonly kind: 'BUSY' } | NotRunning;

export type HostedServer = {
  /** Sends a request to the server, which is started if it does not run. Throws NoAnswer if it sent none. */
  readonly request: (method: string, params: MessageMembers, signal: AbortSignal) => Promise<HostedAnswer>;
  /** Name, version and capabilities of the server. */
  readonly describe: () => Promise<HostedAnswer>;
  readonly stop: () => Promise<void>;
};

/** Sends a request, and cancels it when its caller is gone. */
const send = async ({ link }: Running, id: number, message: MessageMembers, signal: AbortSignal): Promise<HostedAnswer> => {
  const cancel = (): void => {
    link.send(newMessage({ method: 'notifications/cancelled', params: { requestId: id } }));
    link.cancel(id);
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const { value } = await link.request(id, newMessage({ id, ...message }));
    return { kind: 'ANSWERED', value };
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

/** A server with its bounds: requests in flight, and the time for which it may be idle. */
export const newHostedServer = (command: ServerCommand, limits: ServerLimits, onEvent: OnServerEvent): HostedServer => {
  const lifecycle = newLifecycle(command, limits, onEvent);
  let idle: NodeJS.Timeout | undefined;
  let calls = 0;
  let ids = 0;
  /** Counts a request, so that the server is not ended while it works. */
  const counted = async (work: (running: Running) => Promise<HostedAnswer>): Promise<HostedAnswer> => {
    if (calls >= limits.callsMax) return { kind: 'BUSY' };
    calls += 1;
    clearTimeout(idle);
    try {
      const running = await lifecycle.open();
      if ('kind' in running) return running;
      const answer = await work(running);
      lifecycle.succeed();
      return answer;
    } finally {
      calls -= 1;
      clearTimeout(idle);
      if (calls === 0) idle = setTimeout(() => void lifecycle.end(), limits.idleMs).unref();
    }
  };
  return {
    request: (method, params, signal) =>
      counted((running) => {
        ids += 1;
        return send(running, ids, { method, params }, signal);
      }),
    describe: () => counted(async ({ description }) => ({ kind: 'ANSWERED', value: { result: description } })),
    stop: async () => {
      clearTimeout(idle);
      await lifecycle.close();
    },
  };
};
