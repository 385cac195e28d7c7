import type { LookupAddress } from 'node:dns';
import { type ClientRequest, type Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { type Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type FailedResponse, type ResponseReading, readAnswer, type UntimedResponse } from '../answers/read-answer.ts';
import type { EgressRequest } from '../requests/egress-request.ts';
import type { AllowingSetting } from '../requests/explain-to-people.ts';
import { failureReason, wasNotConnected } from '../requests/failure-reason.ts';
import type { AnswerMeter } from './answer-meter.ts';
import type { HandshakeTurns } from './handshake-turns.ts';
import type { KeptAgents } from './kept-agents.ts';
import type { ForWhom } from './secure-agent.ts';

export type Agents = {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
  readonly kept: KeptAgents;
  readonly handshakes: HandshakeTurns;
};

/** A request whose destination was checked, with its checked addresses. */
export type CheckedRequest = {
  readonly request: EgressRequest;
  readonly url: URL;
  readonly addresses: readonly LookupAddress[];
  readonly headers: Readonly<Record<string, string>>;
};

/** How to send it. `signal` aborts it at any point. */
export type Sending = {
  readonly agents: Agents;
  readonly reading: ResponseReading;
  readonly signal: AbortSignal;
  /** Called once connected; returns true if so much time has passed that the permission to send must be checked again. */
  readonly isLate: () => boolean;
};

/** `forbidden` if the destination exists, but must not be called. */
export type Unreached = {
  readonly kind: 'unreachable';
  readonly detail: string;
  readonly forbidden?: true;
  readonly setting?: AllowingSetting;
};
export type Sent = UntimedResponse | FailedResponse | Unreached;

const headerBytesMax = 32_768;
const NOT_HTTP = 'The destination did not return a valid HTTP response.';
const NEVER_SENT = 'The call was not sent: its permission changed while it was waiting.';

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
): RequestOptions & ForWhom & { servername?: string } => {
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  return {
    method: request.method,
    tenant: request.tenant,
    host: hostname,
    port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
    headers,
    lookup: pinnedTo(addresses),
    maxHeaderSize: headerBytesMax,
    signal,
    // The certificate must be for the host's name, not for the chosen address.
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
  };
};

/**
 * Interim responses cost the reader and have no use here: a few are skipped, a peer that sends more is dropped, as is one that upgrades
 * from HTTP.
 */
const boundInterimAnswers = (outgoing: ClientRequest, meter: () => AnswerMeter | undefined, tooMany: () => void): void => {
  let count = 0;
  outgoing.once('upgrade', (_message, socket) => {
    socket.destroy();
    tooMany();
  });
  outgoing.on('information', () => {
    count += 1;
    meter()?.announce();
    if (count > LIMITS.egress.interimAnswersMax) tooMany();
  });
};

/** An invalid status says nothing about the result of the request. */
const isFinal = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode >= 200;

const failed = (reason: string, sent: boolean): FailedResponse => ({ kind: 'failed', reason, sent });

type Broken = {
  readonly outgoing: ClientRequest;
  readonly incoming: IncomingMessage | undefined;
  readonly sent: boolean;
  readonly meter: AnswerMeter | undefined;
};

/** A kept connection was closed before anything of the request had left: it must be sent over another. */
const AGAIN = Symbol('over another connection');

/** Returns the result of the call for a connection error. */
const outcomeOf = (
  error: Error,
  { outgoing, incoming, sent, meter }: Broken,
  checked: CheckedRequest,
  { agents, signal }: Pick<Sending, 'agents' | 'signal'>,
): Sent | typeof AGAIN => {
  const { keepFor } = checked.request;
  const reason = failureReason(error);
  if (!sent && outgoing.reusedSocket && !signal.aborted) return AGAIN;
  if (!sent && wasNotConnected(error)) return { kind: 'unreachable', detail: reason };
  if (incoming) return { ...failed(reason, sent), status: incoming.statusCode ?? 0 };
  if (keepFor === undefined || !outgoing.reusedSocket || signal.aborted) return failed(reason, sent);
  if ((meter?.waitedMs() ?? 0) >= LIMITS.egress.closedUnusedMs) agents.kept.avoid(checked, keepFor);
  return { ...failed(reason, sent), stale: true };
};

const whenConnected = (outgoing: ClientRequest, secure: boolean, connected: () => void): void =>
  void outgoing.once('socket', (socket: Socket) => {
    // Bytes that the peer has sent meanwhile on a kept connection, such as its end, are processed before the request leaves.
    if (outgoing.reusedSocket) setImmediate(connected);
    else socket.once(secure ? 'secureConnect' : 'connect', connected);
  });

/** Checks if the request may leave over an open connection: at once, unless the call is late and needs permission again. */
const askToLeave = (
  { mayLeave }: EgressRequest,
  { isLate }: Sending,
  told: (may: boolean) => void,
  broken: (error: unknown) => void,
): void => {
  if (mayLeave === undefined || !isLate()) told(true);
  else mayLeave().then(told, broken);
};

/** Sends over a connection of this agent and reads the response. */
const sendOver = (checked: CheckedRequest, sending: Sending, agent: HttpAgent): Promise<Sent | typeof AGAIN> =>
  new Promise((resolve, reject) => {
    const { request, url } = checked;
    const { agents, reading, signal } = sending;
    const secure = url.protocol === 'https:';
    const outgoing = (secure ? httpsRequest : httpRequest)({ ...optionsFor(checked, signal), agent });
    let sent = false;
    let incoming: IncomingMessage | undefined;
    const meter = (): AnswerMeter | undefined => (outgoing.socket ? agents.kept.meterOf(outgoing.socket) : undefined);
    const settleNow = (result: Sent | typeof AGAIN): void => {
      resolve(result);
      outgoing.destroy();
    };
    // A connection that was used to its end is free by then, and any other is not reusable.
    const settle = (result: Sent): void =>
      void (request.keepFor !== undefined && result.kind === 'answered' ? setImmediate(settleNow, result) : settleNow(result));
    const leave = (): void => {
      sent ||= !outgoing.destroyed;
      if (!sent) return;
      request.onSend?.();
      meter()?.begin();
      outgoing.end(request.body);
    };
    const broken = (error: unknown): void => {
      reject(error);
      outgoing.destroy();
    };
    const told = (may: boolean): void => (may ? leave() : settle(failed(NEVER_SENT, false)));
    whenConnected(outgoing, secure, () => askToLeave(request, sending, told, broken));
    outgoing.once('response', (message) => {
      // Bytes that arrive before the request has left are no response to it.
      if (!sent) return settleNow(outgoing.reusedSocket ? AGAIN : failed(NOT_HTTP, false));
      if (!isFinal(message)) return settleNow(failed(NOT_HTTP, true));
      incoming = message;
      meter()?.expect(message, { method: request.method, hasLeft: outgoing.writableFinished });
      readAnswer(message, reading).then(settle, broken);
    });
    boundInterimAnswers(outgoing, meter, () => settle(failed(NOT_HTTP, sent)));
    outgoing.on('error', (error) => {
      // A response that was read to its end counts, even if the connection then fails.
      if (!incoming?.complete) resolve(outcomeOf(error, { outgoing, incoming, sent, meter: meter() }, checked, { agents, signal }));
    });
  });

/**
 * Sends a checked request over a connection of its own and reads the response. Connections are reused only if the request names a
 * keep-alive
 * key: then a response can only belong to its own request, and a request that finds its connection closed was never sent, so it goes over a
 * new one. No byte of the request is written before the connection is open, with TLS before the peer has proved its identity, and for a
 * late
 * call before it was allowed again.
 */
export const sendRequest = async (checked: CheckedRequest, sending: Sending): Promise<Sent> => {
  const { agents } = sending;
  const isSecure = checked.url.protocol === 'https:';
  const own = isSecure ? agents.https : agents.http;
  const { keepFor, tenant } = checked.request;
  const agent = keepFor === undefined ? own : agents.kept.of(checked, keepFor);
  if (isSecure && Object.keys(agent.freeSockets).length === 0) await agents.handshakes.take(tenant);
  const sent = await sendOver(checked, sending, agent);
  if (sent !== AGAIN) return sent;
  const again = await sendOver({ ...checked, headers: { ...checked.headers, connection: 'close' } }, sending, own);
  return again === AGAIN ? failed(NOT_HTTP, false) : again;
};
