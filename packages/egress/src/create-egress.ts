import { Agent as HttpAgent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { DestinationBlock } from '@svc/domain/incidents/emergency/blocked-destination.ts';
import { openLargeAnswers, openSlowResponses } from './answers/open-large-answers.ts';
import { createHandshakeBudgets } from './connection/handshake-budgets.ts';
import { newHandshakeTurns } from './connection/handshake-turns.ts';
import { newKeptAgents } from './connection/kept-agents.ts';
import { newSecureAgent } from './connection/secure-agent.ts';
import type { Agents } from './connection/send-request.ts';
import { isPrivateAddress, newAddressRules } from './names/address-rules.ts';
import { newLookup } from './names/new-lookup.ts';
import type { Lookup } from './names/resolve-host.ts';
import { type Attempted, type AttemptProgress, type AttemptSettings, type EgressAttempt, newAttempt } from './new-attempt.ts';
import { checkUrl } from './requests/check-request.ts';
import type { EgressRequest, EgressResult } from './requests/egress-request.ts';

export type EgressSettings = {
  readonly allowRealEgress: boolean;
  /** Networks that may be called although they are not public. */
  readonly allowCidrs: readonly string[];
  /** The built-in receiver, `http://host:port`: it is called even while egress is off, and at any address. */
  readonly sandboxOrigin?: string;
  readonly timeoutMs?: number;
  readonly responseMaxBytes?: number;
  /** Returns responses of every size whole: for peers chosen by the operator, if no more bytes are read than of a small one. */
  readonly readsAtOnce?: boolean;
  /** Returns responses as text: nothing is parsed. */
  readonly asText?: boolean;
  /** Returns responses as bytes, without inspecting them. */
  readonly asBytes?: boolean;
  /** Name servers, `address` or `address:port`; those of the system if empty. */
  readonly nameServers?: readonly string[];
  /** Allows credentials without TLS to addresses of private networks and of this machine. */
  readonly showsCredentials?: boolean;
  /** Idle timeout of kept connections. */
  readonly keptIdleMs?: number;
  /** Reads the destinations that an organization blocks. Without it only those stated in a request are known. */
  readonly blocksOf?: (tenant: string) => Promise<readonly DestinationBlock[]>;
  /** Replaces name resolution. */
  readonly lookup?: Lookup;
};

export type Egress = {
  /** Never throws for anything the peer or the request does; see EgressResult. */
  readonly call: (request: EgressRequest) => Promise<EgressResult>;
  /** Returns why a call to this URL would not be made at all; undefined if it would be tried. */
  readonly disabledFor: (request: Pick<EgressRequest, 'url'>) => string | undefined;
  /** Aborts calls in progress, which then return `failed`; later calls fail unsent. */
  readonly close: () => Promise<void>;
};

const disabledReason = 'Outbound calls are disabled in this installation (GATEWAY_ALLOW_REAL_EGRESS).';
const closedReason = 'The service is shutting down.';
const CLOSED: EgressResult = { kind: 'failed', reason: closedReason, sent: false, busy: 'service' };
const CALLER_GONE = 'The call was cancelled because the caller disconnected.';
const tooLate = 'The destination did not accept the call in time.';
const { unreachableBeatMs } = LIMITS.egress;

type Interruption = 'timeout' | 'closing' | 'caller';

/** Answers at a fixed interval, so that the duration does not reveal the reason of a failure. */
const onTheBeat = async (startedAt: number, result: EgressResult): Promise<EgressResult> => {
  const elapsed = performance.now() - startedAt;
  await sleep(Math.ceil(elapsed / unreachableBeatMs) * unreachableBeatMs - elapsed);
  return result;
};

/** Returns the result of an attempt, given who aborted it. */
const getResult = (attempted: Attempted, signal: AbortSignal, startedAt: number): EgressResult => {
  const duration_ms = Math.round(performance.now() - startedAt);
  if (attempted.kind === 'answered' || attempted.kind === 'answered_large') return { ...attempted, duration_ms };
  const isUnsent = attempted.kind === 'unreachable' || (attempted.kind === 'failed' && !attempted.sent);
  if (!signal.aborted || (attempted.kind !== 'failed' && attempted.kind !== 'unreachable')) return attempted;
  if ((signal.reason as Interruption) === 'caller') return { kind: 'failed', reason: CALLER_GONE, sent: !isUnsent };
  if ((signal.reason as Interruption) === 'closing') return isUnsent ? CLOSED : { kind: 'failed', reason: closedReason, sent: true };
  return isUnsent ? { kind: 'unreachable', detail: tooLate } : { kind: 'timeout', duration_ms };
};

/** Runs one call within its timeout. */
const runOnce = async (
  attempt: EgressAttempt,
  request: EgressRequest,
  controller: AbortController,
  timeoutMs: number,
): Promise<EgressResult> => {
  const { signal } = controller;
  const progress: AttemptProgress = { startedAt: performance.now(), timeoutMs, signal };
  const timer = setTimeout(() => controller.abort('timeout' satisfies Interruption), timeoutMs);
  const attempted = await attempt(request, progress).finally(() => clearTimeout(timer));
  const result = getResult(attempted, signal, progress.startedAt);
  return result.kind === 'unreachable' && !signal.aborted ? onTheBeat(progress.startedAt, result) : result;
};

/** Tracks calls in progress, each with its timeout, and aborts them together on close. */
const newCalls = (attempt: EgressAttempt, timeoutMs: number) => {
  const underway = new Map<AbortController, Promise<EgressResult>>();
  let closed = false;
  return {
    begin: (request: EgressRequest): Promise<EgressResult> => {
      if (closed) return Promise.resolve(CLOSED);
      const controller = new AbortController();
      const leave = (): void => controller.abort('caller' satisfies Interruption);
      if (request.signal?.aborted) leave();
      else request.signal?.addEventListener('abort', leave, { once: true });
      const running = runOnce(attempt, request, controller, request.timeoutMs ?? timeoutMs).finally(() => {
        underway.delete(controller);
        request.signal?.removeEventListener('abort', leave);
      });
      underway.set(controller, running);
      return running;
    },
    end: async (): Promise<void> => {
      closed = true;
      const results = [...underway.values()];
      for (const controller of underway.keys()) controller.abort('closing' satisfies Interruption);
      await Promise.all(results);
    },
  };
};

const newMayShow =
  ({ showsCredentials = false }: EgressSettings, isSandbox: (url: URL) => boolean): AttemptSettings['mayShow'] =>
  (url, addresses) =>
    isSandbox(url) || (showsCredentials && addresses.every(({ address }) => isPrivateAddress(address)));

/** Creates the only egress of the service. Throws if a setting is not a network or an origin. */
export const createEgress = (settings: EgressSettings): Egress => {
  const sandboxOrigin = settings.sandboxOrigin === undefined ? undefined : new URL(settings.sandboxOrigin).origin;
  const isSandbox = (url: URL): boolean => url.origin === sandboxOrigin;
  const debts = createHandshakeBudgets();
  const agents: Agents = {
    http: new HttpAgent({ keepAlive: false }),
    https: newSecureAgent({ keepAlive: false }, debts),
    kept: newKeptAgents(debts, settings.keptIdleMs),
    handshakes: newHandshakeTurns(),
  };
  const largeAnswers = settings.readsAtOnce === true ? null : openLargeAnswers();
  const dearAnswers = openSlowResponses();
  const disabledFor: Egress['disabledFor'] = ({ url: text }) => {
    if (settings.allowRealEgress) return undefined;
    const url = checkUrl(text);
    return url instanceof URL && isSandbox(url) ? undefined : disabledReason;
  };
  const timeoutMs = settings.timeoutMs ?? LIMITS.egress.timeoutMs;
  const attempt = newAttempt({
    agents,
    timeoutMs,
    mayCall: newAddressRules(settings.allowCidrs),
    lookup: settings.lookup ?? newLookup({ nameServers: settings.nameServers ?? [] }),
    responseMaxBytes: settings.responseMaxBytes ?? LIMITS.egress.responseBytesMax,
    ...{ largeAnswers, dearAnswers },
    ...{ asText: settings.asText ?? false, asBytes: settings.asBytes ?? false },
    isSandbox,
    blocksOf: settings.blocksOf,
    mayShow: newMayShow(settings, isSandbox),
    disabledFor,
  });
  const calls = newCalls(attempt, timeoutMs);
  return {
    disabledFor,
    call: calls.begin,
    close: async () => {
      await calls.end();
      await Promise.all([largeAnswers?.close(), dearAnswers.close()]);
      for (const each of [agents.http, agents.https]) each.destroy();
      agents.kept.close();
    },
  };
};
