import type { LookupAddress } from 'node:dns';
import { type Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { type Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { EgressRequest } from './egress-request.ts';
import { failureReason, isConnectionError } from './failure-reason.ts';
import { type Answer, readAnswer } from './read-answer.ts';

export type Agents = { readonly http: HttpAgent; readonly https: HttpsAgent };

/** A request whose destination was checked, and the addresses that were. */
export type CheckedRequest = {
  readonly request: EgressRequest;
  readonly url: URL;
  readonly addresses: readonly LookupAddress[];
  readonly headers: Readonly<Record<string, string>>;
};

export type Sent =
  | ({ readonly kind: 'answered' } & Answer)
  | { readonly kind: 'failed'; readonly reason: string; readonly sent: boolean; readonly status?: number };

const headerBytesMax = 32_768;

const pinnedTo =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_hostname, options, done) => {
    const [first] = addresses;
    if (options.all === true) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };

const optionsFor = (
  { request, url, addresses, headers }: CheckedRequest,
  signal: AbortSignal,
): RequestOptions & { servername?: string } => {
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  return {
    method: request.method,
    host: hostname,
    port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
    headers,
    lookup: pinnedTo(addresses),
    maxHeaderSize: headerBytesMax,
    signal,
    // The certificate must be the host's own, whatever address was chosen.
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
  };
};

const readIncoming = async (message: IncomingMessage, responseMaxBytes: number): Promise<Sent> => {
  const status = message.statusCode ?? 0;
  try {
    const answer = await readAnswer(message, responseMaxBytes);
    return 'unreadable' in answer ? { kind: 'failed', reason: answer.unreadable, sent: true, status } : { kind: 'answered', ...answer };
  } catch (error) {
    if (!isConnectionError(error)) throw error;
    return { kind: 'failed', reason: failureReason(error), sent: true, status };
  }
};

/**
 * Sends a checked request over a connection of its own and reads the answer. Connections are never used twice: an answer can then only belong
 * to its own request, and a request that finds its connection closed was never sent. `signal` breaks it off at any point.
 */
export const sendRequest = (checked: CheckedRequest, agents: Agents, responseMaxBytes: number, signal: AbortSignal): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const secure = checked.url.protocol === 'https:';
    const options = optionsFor(checked, signal);
    const outgoing = secure ? httpsRequest({ ...options, agent: agents.https }) : httpRequest({ ...options, agent: agents.http });
    let sent = false;
    outgoing.once('socket', (socket: Socket) => {
      // Nothing of the request leaves before the connection stands, and with TLS not before the peer has proved who it is.
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        sent = true;
      });
    });
    let begun: { readonly status?: number } = {};
    outgoing.once('response', (message) => {
      begun = { status: message.statusCode ?? 0 };
      readIncoming(message, responseMaxBytes)
        .then(resolve, reject)
        .finally(() => outgoing.destroy());
    });
    outgoing.once('upgrade', (_message, socket) => {
      socket.destroy();
      resolve({ kind: 'failed', reason: 'The destination did not answer in valid HTTP.', sent: true });
    });
    outgoing.on('error', (error) => resolve({ kind: 'failed', reason: failureReason(error), sent, ...begun }));
    outgoing.end(checked.request.body);
  });
