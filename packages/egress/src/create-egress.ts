import { Agent as HttpAgent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Block } from '@svc/domain/incidents/emergency/blocked-destination.ts';
import { openDearAnswers, openLargeAnswers } from './answers/open-large-answers.ts';
import { newHandshakeTurns } from './connection/handshake-turns.ts';
import { newKeptAgents } from './connection/kept-agents.ts';
import { newProofDebts } from './connection/proof-debts.ts';
import { newSecureAgent } from './connection/secure-agent.ts';
import type { Agents } from './connection/send-request.ts';
import { isPrivateAddress, newAddressRules } from './names/address-rules.ts';
import { newLookup } from './names/new-lookup.ts';
import type { Lookup } from './names/resolve-host.ts';
import { type Attempt, type Attempted, type AttemptSettings, newAttempt, type Progress } from './new-attempt.ts';
import { checkUrl } from './requests/check-request.ts';
import type { EgressRequest, EgressResult } from './requests/egress-request.ts';

export type EgressSettings = {
  readonly allowRealEgress: boolean;
  /** Networks that may be called although they are not public. */
  readonly allowCidrs: readonly string[];
  /** The built-in receiver, `http://host:port`: it is called even while egress is off, and at whatever address it has. */
  readonly sandboxOrigin?: string;
  readonly timeoutMs?: number;
  readonly responseMaxBytes?: number;
  /** Whether every answer is told whole, whatever its size: for peers that the operator chose, and where no more bytes are read than of a small one. */
  readonly readsAtOnce?: boolean;
  /** Whether answers are told as text alone: nothing of them is parsed. */
  readonly asText?: boolean;
  /** Whether answers are told as bytes, and nothing of them is looked at. */
  readonly asBytes?: boolean;
  /** Which name servers are asked, `address` or `address:port`; those of the system when there are none. */
  readonly nameServers?: readonly string[];
  /** Whether credentials may go without TLS to addresses of private networks and of this machine. */
  readonly showsCredentials?: boolean;
  /** How long connections that are kept wait for their next call. */
  readonly keptIdleMs?: number;
  /** Reads the destinations that an organization blocks. Without it only those are known that a request states. */
  readonly blocksOf?: (tenant: string) => Promise<readonly Block[]>;
  /** How names are resolved instead. */
  readonly lookup?: Lookup;
};

export type Egress = {
  /** Never throws for anything the peer or the request does; see EgressResult. */
  readonly call: (request: EgressRequest) => Promise<EgressResult>;
  /** Why a call to this URL would not be made at all; undefined when it would be tried. */
  readonly disabledFor: (request: Pick<EgressRequest, 'url'>) => string | undefined;
  /** Breaks off what is under way, which then answers `failed`; later calls fail unsent. */
  readonly close: () => Promise<void>;
};

const disabledReason = 'Outbound calls are disabled in this installation (GATEWAY_ALLOW_REAL_EGRESS).';
const closedReason = 'The service is shutting down.';
const CLOSED: EgressResult = { kind: 'failed', reason: closedReason, sent: false, busy: 'service' };
const CALLER_GONE = 'The call was cancelled because the caller disconnected.';
const tooLate = 'The destination did not accept the call in time.';
const { unreachableBeatMs } = LIMITS.egress;

type Interruption = 'timeout' | 'closing' | 'caller';

/** Answered together with the others of its kind, so that how long it took does not tell why. */
const onTheBeat = async (startedAt: number, result: EgressResult): Promise<EgressResult> => {
  const elapsed = performance.now() - startedAt;
  await sleep(Math.ceil(elapsed / unreachableBeatMs) * unreachableBeatMs - elapsed);
  return result;
};

/** What came of an attempt, in the light of who broke it off. */
const resultOf = (attempted: Attempted, signal: AbortSignal, startedAt: number): EgressResult => {
  const duration_ms = Math.round(performance.now() - startedAt);
  if (attempted.kind === 'answered' || attempted.kind === 'answered_large') return { ...attempted, duration_ms };
  const isUnsent = attempted.kind === 'unreachable' || (attempted.kind === 'failed' && !attempted.sent);
  if (!signal.aborted || (attempted.kind !== 'failed' && attempted.kind !== 'unreachable')) return attempted;
  if ((signal.reason as Interruption) === 'caller') return { kind: 'failed', reason: CALLER_GONE, sent: !isUnsent };
  if ((signal.reason as Interruption) === 'closing') return isUnsent ? CLOSED : { kind: 'failed', reason: closedReason, sent: true };
  return isUnsent ? { kind: 'unreachable', detail: tooLate } : { kind: 'timeout', duration_ms };
};

/** One call within its time. */
const runOnce = async (attempt: Attempt, request: EgressRequest, controller: AbortController, timeoutMs: number): Promise<EgressResult> => {
  const { signal } = controller;
  const progress: Progress = { startedAt: performance.now(), timeoutMs, signal };
  const timer = setTimeout(() => controller.abort('timeout' satisfies Interruption), timeoutMs);
  const attempted = await attempt(request, progress).finally(() => clearTimeout(timer));
  const result = resultOf(attempted, signal, progress.startedAt);
  return result.kind === 'unreachable' && !signal.aborted ? onTheBeat(progress.startedAt, result) : result;
};

/** The calls that are under way, each within its time, and broken off together when there are to be no more. */
const newCalls = (attempt: Attempt, timeoutMs: number) => {
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

/** The one way out of the service. Throws when a setting is no network or no origin. */
export const createEgress = (settings: EgressSettings): Egress => {
  const sandboxOrigin = settings.sandboxOrigin === undefined ? undefined : new URL(settings.sandboxOrigin).origin;
  const isSandbox = (url: URL): boolean => url.origin === sandboxOrigin;
  const debts = newProofDebts();
  const agents: Agents = {
    http: new HttpAgent({ keepAlive: false }),
    https: newSecureAgent({ keepAlive: false }, debts),
    kept: newKeptAgents(debts, settings.keptIdleMs),
    handshakes: newHandshakeTurns(),
  };
  const largeAnswers = settings.readsAtOnce === true ? null : openLargeAnswers();
  const dearAnswers = openDearAnswers();
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
