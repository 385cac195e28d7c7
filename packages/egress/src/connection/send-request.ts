import type { LookupAddress } from 'node:dns';
import { type ClientRequest, type Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { type Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Answer, type Failed, type Reading, readAnswer } from '../answers/read-answer.ts';
import type { EgressRequest } from '../requests/egress-request.ts';
import { failureReason, wasNotConnected } from '../requests/failure-reason.ts';

export type Agents = { readonly http: HttpAgent; readonly https: HttpsAgent };

/** A request whose destination was checked, and the addresses that were. */
export type CheckedRequest = {
  readonly request: EgressRequest;
  readonly url: URL;
  readonly addresses: readonly LookupAddress[];
  readonly headers: Readonly<Record<string, string>>;
};

/** How it is sent. `signal` breaks it off at any point. */
export type Sending = {
  readonly agents: Agents;
  readonly reading: Reading;
  readonly signal: AbortSignal;
  /** Asked when the connection stands: whether it has taken so long that the question whether the call may leave is due. */
  readonly isLate: () => boolean;
};

/** `forbidden` where the destination is there, and is not to be called. */
export type Unreached = { readonly kind: 'unreachable'; readonly detail: string; readonly forbidden?: true };
export type Sent = Answer | Failed | Unreached;

const headerBytesMax = 32_768;
const NOT_HTTP = 'The destination did not answer in valid HTTP.';
const NEVER_SENT = 'The call was never sent: what allowed it had changed while it waited.';

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

/** Answers that announce another one cost the reader and mean nothing to it: a few are passed over, and who sends more is left. */
const boundInterimAnswers = (outgoing: ClientRequest, tooMany: () => void): void => {
  let count = 0;
  outgoing.on('information', () => {
    count += 1;
    if (count > LIMITS.egress.interimAnswersMax) tooMany();
  });
};

const failed = (reason: string, sent: boolean): Failed => ({ kind: 'failed', reason, sent });

/**
 * Sends a checked request over a connection of its own and reads the answer. Connections are never used twice: an answer can then only belong
 * to its own request, and a request that finds its connection closed was never sent. Nothing of the request is given to the connection before
 * it stands, with TLS not before the peer has proved who it is, and where the call is late not before it was allowed once more.
 */
export const sendRequest = (checked: CheckedRequest, { agents, reading, signal, isLate }: Sending): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const { request, url } = checked;
    const secure = url.protocol === 'https:';
    const options = optionsFor(checked, signal);
    const outgoing = secure ? httpsRequest({ ...options, agent: agents.https }) : httpRequest({ ...options, agent: agents.http });
    let sent = false;
    let incoming: IncomingMessage | undefined;
    const settle = (result: Sent): void => {
      resolve(result);
      outgoing.destroy();
    };
    const leave = (): void => {
      if (outgoing.destroyed) return;
      sent = true;
      outgoing.end(request.body);
    };
    const broken = (error: unknown): void => {
      reject(error);
      outgoing.destroy();
    };
    const connected = (): void => {
      if (request.mayLeave === undefined || !isLate()) leave();
      else request.mayLeave().then((may) => (may ? leave() : settle(failed(NEVER_SENT, false))), broken);
    };
    outgoing.once('socket', (socket: Socket) => void socket.once(secure ? 'secureConnect' : 'connect', connected));
    outgoing.once('response', (message) => {
      incoming = message;
      readAnswer(message, reading).then(settle, broken);
    });
    outgoing.once('upgrade', (_message, socket) => {
      socket.destroy();
      settle(failed(NOT_HTTP, true));
    });
    boundInterimAnswers(outgoing, () => settle(failed(NOT_HTTP, true)));
    outgoing.on('error', (error) => {
      // What was read to its end is an answer, whatever becomes of the connection.
      if (incoming?.complete) return;
      const reason = failureReason(error);
      if (!sent && wasNotConnected(error)) resolve({ kind: 'unreachable', detail: reason });
      else resolve({ ...failed(reason, sent), ...(incoming ? { status: incoming.statusCode ?? 0 } : {}) });
    });
  });
