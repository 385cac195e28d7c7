import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOSTILE_ADDRESS } from './attack.ts';

/** Opens a raw connection of an unauthenticated client. Its errors are ignored. */
export const openUnauthenticatedSocket = (url: string): Socket => {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: HOSTILE_ADDRESS });
  socket.on('error', () => undefined);
  return socket;
};

/** Resolves when there is capacity again, or never will be. */
export const waitUntilWritable = async (socket: Socket): Promise<void> => {
  const waited = new AbortController();
  const { signal } = waited;
  const happens = ['drain', 'close'].map((event) => once(socket, event, { signal }).catch(() => undefined));
  await Promise.race([...happens, sleep(1_000)]);
  waited.abort();
};

export type HostileRequest = {
  readonly method: string;
  readonly path: string;
  readonly token?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Creates an agent with many keep-alive connections from the attacker's address. */
export const createUnauthenticatedAgent = (connections: number): Agent =>
  new Agent({ keepAlive: true, maxSockets: connections, localAddress: HOSTILE_ADDRESS });

/** Sends one request and discards its response; returns the status, and 0 without one. */
export const ask = (agent: Agent, base: string, { method, path, token, body, headers }: HostileRequest): Promise<number> =>
  new Promise((resolve) => {
    const sent = request(
      `${base}${path}`,
      {
        agent,
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
      },
      (response) => {
        response.resume().once('close', () => resolve(response.statusCode ?? 0));
      },
    );
    sent.on('error', () => resolve(0));
    sent.end(body);
  });

/** Runs so many workers repeatedly until the signal fires. */
export const runInParallel = async (workers: number, signal: AbortSignal, work: (turn: number) => Promise<unknown>): Promise<void> => {
  let turn = 0;
  const one = async (): Promise<void> => {
    while (!signal.aborted) await work(turn++);
  };
  await Promise.all(Array.from({ length: workers }, one));
};

/** Repeats the same requests on each connection when they are answered, and reconnects when one is closed. */
export const askWithoutPause = async (
  urls: readonly string[],
  connections: number,
  requests: string,
  each: number,
  signal: AbortSignal,
): Promise<void> => {
  const begin = (turn: number): void => {
    if (signal.aborted) return;
    const socket = openUnauthenticatedSocket(urls[turn % urls.length] ?? '');
    let answers = 0;
    socket.once('connect', () => socket.write(requests));
    socket.on('data', (data) => {
      for (let at = data.indexOf('HTTP/1.1 '); at >= 0; at = data.indexOf('HTTP/1.1 ', at + 1)) answers += 1;
      if (answers < each) return;
      answers -= each;
      socket.write(requests);
    });
    socket.once('close', () => setTimeout(begin, 20, turn));
  };
  for (let turn = 0; turn < connections; turn += 1) begin(turn);
  await once(signal, 'abort');
};

/** Sends one request on each of so many connections to each plane, and then nothing; reconnects a second after one is closed. */
export const holdConnections = async (
  held: readonly { readonly url: string; readonly request: string }[],
  each: number,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<void> => {
  const begin = (turn: number): void => {
    const { url, request: text } = held[turn % held.length] ?? { url: '', request: '' };
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), localAddress: addresses[(turn >> 1) % addresses.length] ?? '' });
    socket.on('error', () => undefined);
    socket.resume().once('connect', () => socket.write(text));
    socket.once('close', () => setTimeout(begin, 1_000, turn));
  };
  for (let turn = 0; turn < 2 * each; turn += 1) setTimeout(begin, turn / 2, turn);
  await once(signal, 'abort');
};
