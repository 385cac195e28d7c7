import type { LookupAddress } from 'node:dns';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type DestinationBlock, findAddressBlock, findHostBlock } from '@svc/domain/incidents/emergency/blocked-destination.ts';
import { type Busy, newByteShares } from '@svc/fairness/semaphore/byte-shares.ts';
import { newSlotSemaphore, type SlotSemaphore } from '@svc/fairness/semaphore/slot-semaphore.ts';
import { normaliseHost } from '@svc/policy/values/normalise-host.ts';
import type { LargeAnswers, SlowResponses } from './answers/open-large-answers.ts';
import type { FailedResponse, ResponseReading, UntimedResponse } from './answers/read-answer.ts';
import { type Agents, sendRequest, type Unreached } from './connection/send-request.ts';
import type { AddressRules } from './names/address-rules.ts';
import { admitAddress, type Lookup, type ResolvedHost, resolveHost } from './names/resolve-host.ts';
import { checkHeaders, checkUrl } from './requests/check-request.ts';
import type { EgressRequest, EgressResult } from './requests/egress-request.ts';
import { type AuthenticatedRequest, type Hidden, proveRequest } from './requests/prove-request.ts';

export type AttemptSettings = {
  readonly agents: Agents;
  readonly mayCall: AddressRules;
  readonly lookup: Lookup;
  readonly responseMaxBytes: number;
  /** Timeout of ordinary calls. A longer call uses a slot for long calls. */
  readonly timeoutMs: number;
  /** Null if every response is returned whole. */
  readonly largeAnswers: LargeAnswers | null;
  readonly dearAnswers: SlowResponses;
  readonly asText: boolean;
  readonly asBytes: boolean;
  readonly isSandbox: (url: URL) => boolean;
  /** Returns true if a credential may go there without TLS. */
  readonly mayShow: (url: URL, addresses: readonly LookupAddress[]) => boolean;
  readonly disabledFor: (request: Pick<EgressRequest, 'url'>) => string | undefined;
  /** Reads the destinations that an organization blocks. */
  readonly blocksOf: ((tenant: string) => Promise<readonly DestinationBlock[]>) | undefined;
};

/** Progress of one call. */
export type AttemptProgress = { readonly startedAt: number; readonly timeoutMs: number; readonly signal: AbortSignal };

type Unsent = Extract<EgressResult, { kind: 'disabled' | 'refused' | 'no_credential' }>;
export type Attempted = UntimedResponse | FailedResponse | Unreached | Unsent;
export type EgressAttempt = (request: EgressRequest, progress: AttemptProgress) => Promise<Attempted>;

const { egress } = LIMITS;

const CALLS = {
  total: egress.callsMax,
  perTenant: egress.callsPerOrganizationMax,
  perPlace: egress.callsPerHostMax,
  waiting: egress.callsWaitingMax,
  waitingPerTenant: egress.callsWaitingPerOrganizationMax,
};
/** Calls that may take minutes have slots of their own, so that they block none of the others. */
const LONG_CALLS = {
  total: egress.longCallsMax,
  perTenant: egress.longCallsPerOrganizationMax,
  perPlace: egress.longCallsPerHostMax,
  waiting: egress.longCallsWaitingMax,
  waitingPerTenant: egress.longCallsWaitingPerOrganizationMax,
};
const LOOKUPS = {
  total: egress.lookupsMax,
  perTenant: egress.lookupsPerOrganizationMax,
  // One name that never resolves leaves capacity for the others of its tenant.
  perPlace: egress.lookupsPerOrganizationMax / 2,
  waiting: egress.lookupsWaitingMax,
  waitingPerTenant: egress.lookupsWaitingPerOrganizationMax,
};
const LARGE_ANSWERS = {
  total: egress.largeAnswersMax,
  perTenant: egress.largeAnswersPerOrganizationMax,
  perPlace: egress.largeAnswersPerOrganizationMax,
  // A waiting lookup holds a slot of its call.
  waiting: egress.callsMax,
  waitingPerTenant: egress.callsMax,
};
const BODIES = { total: egress.bodyBytesUnderWayMax, perTenant: egress.bodyBytesUnderWayPerOrganizationMax };

const BUSY: Readonly<Record<Busy, FailedResponse>> = {
  tenant: {
    kind: 'failed',
    reason: 'The call was not sent: the organization has too many calls in flight or waiting. Try again later.',
    sent: false,
    busy: 'tenant',
  },
  service: {
    kind: 'failed',
    reason: 'The call was not sent: the service has too many calls in flight. Try again later.',
    sent: false,
    busy: 'service',
  },
};
const PLAIN: Unsent = {
  kind: 'refused',
  reason: 'The call has a credential but does not use TLS. This is allowed only to private networks, and only if the operator enables it.',
  setting: 'credentialsOverHttp',
};
const UNKNOWN: Unreached = { kind: 'unreachable', detail: 'The name of the destination could not be resolved in time.' };

const BLOCKED: Unreached = {
  kind: 'unreachable',
  detail: 'The destination is blocked by an emergency control of the organization.',
  forbidden: true,
};
/** A block that cannot be read may be one of this destination. */
const BLOCKS_UNKNOWN: Unreached = { kind: 'unreachable', detail: 'The blocked destinations of the organization could not be read.' };
const HTTPS_PORT = 443;
const HTTP_PORT = 80;

const getPort = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? HTTPS_PORT : HTTP_PORT) : Number(port));

const waitMsOf = ({ timeoutMs }: AttemptProgress): number => Math.min(egress.callWaitMsMax, timeoutMs / 2);

/** Settles when the signal has fired, for work that cannot be aborted itself. */
const whenAborted = (signal: AbortSignal): Promise<Unreached> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(UNKNOWN);
    else signal.addEventListener('abort', () => resolve(UNKNOWN), { once: true });
  });

type Resolve = (
  request: EgressRequest,
  url: URL,
  progress: AttemptProgress,
) => ResolvedHost | FailedResponse | Promise<ResolvedHost | FailedResponse>;

/** Bounds lookups per tenant like connections: hanging names of one tenant do not delay other tenants' lookups. */
const newResolve = ({ mayCall, lookup, isSandbox }: AttemptSettings, lookups: SlotSemaphore): Resolve => {
  const ask = async (
    request: EgressRequest,
    hostname: string,
    rules: AddressRules,
    progress: AttemptProgress,
  ): Promise<ResolvedHost | FailedResponse> => {
    const slot = await lookups.take(request.tenant, hostname, waitMsOf(progress), progress.signal);
    if (typeof slot !== 'object') return BUSY[lookups.busy(request.tenant, hostname)];
    const resolving = resolveHost(hostname, lookup, rules, progress.signal);
    return Promise.race([resolving, whenAborted(progress.signal)]).finally(slot.release);
  };
  return (request, url, progress) => {
    const hostname = url.hostname.replace(/^\[|\]$/g, '');
    const rules: AddressRules = isSandbox(url) ? () => true : mayCall;
    return admitAddress(hostname, rules) ?? ask(request, hostname, rules, progress);
  };
};

type ReadingOf = (request: EgressRequest, hidden: Hidden, progress: AttemptProgress) => ResponseReading;

/** Returns how to read the response to a request; slots for large ones are shared between tenants. */
const newReadingOf =
  ({ largeAnswers, dearAnswers, responseMaxBytes, asText, asBytes }: AttemptSettings, larges: SlotSemaphore): ReadingOf =>
  ({ tenant, masks = [], expects = null, responseBytesMax: askedMax, onEvent }, hidden, { timeoutMs, signal }) => ({
    masks,
    hidden,
    bytesMax: Math.min(responseMaxBytes, askedMax ?? responseMaxBytes),
    expects,
    asText,
    asBytes,
    onEvent,
    tellDear: (small) => dearAnswers.tell(tenant, small),
    large: largeAnswers && {
      take: () => larges.take(tenant, '', timeoutMs / 2, signal),
      tell: (large) => largeAnswers.tell(tenant, large),
    },
  });

/** Creates an egress attempt: cheap checks come first, and each wait is bounded per tenant. */
export const newAttempt = (settings: AttemptSettings): EgressAttempt => {
  const ordinary = newSlotSemaphore(CALLS);
  const long = newSlotSemaphore(LONG_CALLS);
  const bodies = newByteShares(BODIES);
  const resolve = newResolve(settings, newSlotSemaphore(LOOKUPS));
  const readingOf = newReadingOf(settings, newSlotSemaphore(LARGE_ANSWERS));
  const { agents } = settings;
  const readBlocks = async ({ blocks, tenant }: EgressRequest): Promise<readonly DestinationBlock[] | undefined> =>
    blocks ?? (settings.blocksOf === undefined ? [] : settings.blocksOf(tenant).catch(() => undefined));

  const send = async (
    { request, url, hidden }: AuthenticatedRequest,
    headers: Record<string, string>,
    progress: AttemptProgress,
  ): Promise<Attempted> => {
    const blocks = await readBlocks(request);
    if (blocks === undefined) return BLOCKS_UNKNOWN;
    const port = getPort(url);
    if (findHostBlock(blocks, normaliseHost(url.hostname) ?? url.hostname, port)) return BLOCKED;
    const resolved = await resolve(request, url, progress);
    if (resolved.kind !== 'resolved') return resolved;
    const addresses = resolved.addresses.map(({ address }) => address);
    if (findAddressBlock(blocks, addresses, port)) return BLOCKED;
    const isSecret = hidden.secrets.length > 0 || request.isConfidential === true;
    if (isSecret && url.protocol === 'http:' && !settings.mayShow(url, resolved.addresses)) return PLAIN;
    const { signal, startedAt, timeoutMs } = progress;
    const calls = timeoutMs > settings.timeoutMs ? long : ordinary;
    const slot = await calls.take(request.tenant, url.host, waitMsOf(progress), signal);
    if (typeof slot !== 'object') return BUSY[calls.busy(request.tenant, url.host)];
    const isLate = (): boolean => slot.waited || performance.now() - startedAt > egress.askAgainAfterMs;
    const checked = { request, url, addresses: resolved.addresses, headers };
    return sendRequest(checked, { agents, reading: readingOf(request, hidden, progress), signal, isLate }).finally(slot.release);
  };
  return async (asked, progress) => {
    const checkedUrl = checkUrl(asked.url);
    if (!(checkedUrl instanceof URL)) return checkedUrl;
    const disabled = settings.disabledFor(asked);
    if (disabled !== undefined) return { kind: 'disabled', reason: disabled };
    const proved = proveRequest(asked, checkedUrl);
    if ('kind' in proved) return proved;
    const { request, url, hidden } = proved;
    const checked = checkHeaders(request, url);
    if ('kind' in checked) return checked;
    const giveBack = bodies.take(request.tenant, request.body?.length ?? 0);
    if (typeof giveBack === 'string') return BUSY[giveBack];
    return send({ request, url, hidden }, { ...checked.headers }, progress).finally(giveBack);
  };
};
