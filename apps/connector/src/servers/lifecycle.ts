import { splitLines } from '@svc/stdio/lines/split-lines.ts';
import { errorMessage, isId, METHOD_NOT_FOUND, type MessageMembers, newMessage, readMessage } from '@svc/stdio/messages/message.ts';
import { newServerLink, type ServerLink } from '@svc/stdio/messages/server-link.ts';
import { type ServerCommand, type ServerProcess, startServer } from '@svc/stdio/process/start-server.ts';

export type StartOptions = { readonly callMs: number; readonly lineBytesMax: number };

/** Why a server does not run. */
export type NotRunning = { readonly kind: 'BACKING_OFF'; readonly seconds: number } | { readonly kind: 'NOT_STARTED' };

export type OnServerEvent = (event: string, facts: MessageMembers) => void;

/** One process of a server at a time: started when it is needed, and again with backoff after it failed. */
export type Lifecycle = {
  readonly open: () => Promise<Running | NotRunning>;
  /** The server answered: the next failure is the first again. */
  readonly succeed: () => void;
  readonly end: () => Promise<void>;
  /** Ends the server for good. */
  readonly close: () => Promise<void>;
};

const VERSION = '2025-11-25';
const INFO = { name: 'svc-connector', version: '0.2.0' } as const;
const FIRST_BACKOFF_MS = 1_000;
const BACKOFF_MS_MAX = 60_000;

/** A process that answered `initialize`. */
export type Running = { readonly process: ServerProcess; readonly link: ServerLink; readonly description: MessageMembers };

/** Answers requests of the server itself: a connector has no model, no folders and no person. */
const answerServer = (link: ServerLink, line: string): void => {
  const message = readMessage(line);
  if (message === undefined) return;
  const { id, method } = message.value;
  if (typeof method !== 'string') link.answer(message);
  else if (isId(id))
    link.send(method === 'ping' ? newMessage({ id, result: {} }) : errorMessage(id, METHOD_NOT_FOUND, 'Not available here.'));
};

const connectServer = (command: ServerCommand, { callMs, lineBytesMax }: StartOptions): Pick<Running, 'process' | 'link'> => {
  const process = startServer(command);
  const link = newServerLink((line) => void process.stdin.write(`${line}\n`), callMs);
  const splitter = splitLines(lineBytesMax, (line) => answerServer(link, line));
  process.stdout.on('data', (chunk: Buffer) => {
    if (!splitter.take(chunk)) void process.stop();
  });
  process.exited.then(link.close, link.close);
  return { process, link };
};

const initialize = async ({ link }: Pick<Running, 'link'>): Promise<MessageMembers> => {
  const params = { protocolVersion: VERSION, capabilities: {}, clientInfo: INFO };
  const { value } = await link.request('initialize', newMessage({ id: 'initialize', method: 'initialize', params }));
  if (typeof value.result !== 'object' || value.result === null) throw new Error('The server refused to begin a session.');
  link.send(newMessage({ method: 'notifications/initialized' }));
  return value.result as MessageMembers;
};

/** Starts again later after each failure, and at once after a server that answered. */
const newBackoff = (nowMs: () => number) => {
  let failures = 0;
  let untilMs = 0;
  return {
    remainingMs: () => Math.max(0, untilMs - nowMs()),
    fail: () => {
      untilMs = nowMs() + Math.min(FIRST_BACKOFF_MS * 2 ** Math.min(failures, 16), BACKOFF_MS_MAX);
      failures += 1;
    },
    succeed: () => {
      failures = 0;
      untilMs = 0;
    },
  };
};

/** Reports the end of a process, and whether it was ended from here. */
const watchEnd = (running: Running, isCurrent: () => boolean, onFailure: () => void, onEvent: OnServerEvent): void => {
  void running.process.exited.then(({ code, signal }) => {
    const isExpected = !isCurrent();
    if (!isExpected) onFailure();
    onEvent('ended', { code, signal, expected: isExpected });
  });
};

/** Starts a server and begins its session. Undefined if it does not answer. */
const begin = async (command: ServerCommand, options: StartOptions, onEvent: OnServerEvent): Promise<Running | undefined> => {
  const connected = connectServer(command, options);
  try {
    const running = { ...connected, description: await initialize(connected) };
    onEvent('started', { pid: connected.process.pid ?? null });
    return running;
  } catch (error) {
    onEvent('not started', { reason: error instanceof Error ? error.message : 'error' });
    await connected.process.stop();
    return undefined;
  }
};

export const newLifecycle = (command: ServerCommand, options: StartOptions, onEvent: OnServerEvent): Lifecycle => {
  const backoff = newBackoff(() => performance.now());
  let starting: Promise<Running | undefined> | undefined;
  let current: Running | undefined;
  let isClosed = false;
  const start = async (): Promise<Running | undefined> => {
    const running = await begin(command, options, onEvent);
    starting = undefined;
    if (running === undefined) {
      backoff.fail();
      return undefined;
    }
    current = running;
    const onFailure = (): void => {
      current = undefined;
      backoff.fail();
    };
    watchEnd(running, () => current === running, onFailure, onEvent);
    return running;
  };
  const end = async (): Promise<void> => {
    const running = current ?? (await starting);
    current = undefined;
    await running?.process.stop();
  };
  return {
    open: async () => {
      if (current !== undefined) return current;
      if (isClosed) return { kind: 'NOT_STARTED' };
      const remainingMs = backoff.remainingMs();
      if (starting === undefined && remainingMs > 0) return { kind: 'BACKING_OFF', seconds: Math.ceil(remainingMs / 1_000) };
      starting ??= start();
      return (await starting) ?? { kind: 'NOT_STARTED' };
    },
    succeed: backoff.succeed,
    end,
    close: async () => {
      isClosed = true;
      await end();
    },
  };
};
