import { lookup as lookupHost } from 'node:dns/promises';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { LIMITS } from '@svc/contract/limits.ts';
import { createAddressRules } from './address-rules.ts';
import { checkHeaders, checkUrl } from './check-request.ts';
import type { EgressRequest, EgressResult } from './egress-request.ts';
import { type Lookup, resolveHost } from './resolve-host.ts';
import { type Agents, type Sent, sendRequest } from './send-request.ts';

export type EgressSettings = {
  readonly allowRealEgress: boolean;
  /** Networks that may be called although they are not public. */
  readonly allowCidrs: readonly string[];
  /** The built-in receiver, `http://host:port`: it is called even while egress is off, and at whatever address it has. */
  readonly sandboxOrigin?: string;
  readonly timeoutMs?: number;
  readonly responseMaxBytes?: number;
  /** How names are resolved; the system's way when absent. */
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

const connectionsPerHostMax = 256;
const disabledReason = 'Calls to the outside are switched off in this installation (GATEWAY_ALLOW_REAL_EGRESS).';
const closedReason = 'The service is shutting down.';

type Interruption = 'timeout' | 'closing';
type Attempt = (request: EgressRequest, signal: AbortSignal) => Promise<Exclude<EgressResult, { kind: 'timeout' | 'answered' }> | Sent>;

const systemLookup: Lookup = (hostname) => lookupHost(hostname, { all: true });

/** Settles when the signal fires, for work that cannot be broken off itself. */
const whenAborted = (signal: AbortSignal): Promise<Sent> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ kind: 'failed', reason: closedReason, sent: false }), { once: true });
  });

const createAttempt = (
  settings: EgressSettings,
  agents: Agents,
  disabledFor: Egress['disabledFor'],
  isSandbox: (url: URL) => boolean,
): Attempt => {
  const mayCall = createAddressRules(settings.allowCidrs);
  const lookup = settings.lookup ?? systemLookup;
  const responseMaxBytes = settings.responseMaxBytes ?? LIMITS.egress.responseBytesMax;
  return async (request, signal) => {
    const url = checkUrl(request.url);
    if (!(url instanceof URL)) return url;
    const checked = checkHeaders(request, url);
    if ('kind' in checked) return checked;
    const disabled = disabledFor(request);
    if (disabled !== undefined) return { kind: 'disabled', reason: disabled };
    const hostname = url.hostname.replace(/^\[|\]$/g, '');
    const resolving = resolveHost(hostname, lookup, isSandbox(url) ? () => true : mayCall);
    const resolved = await Promise.race([resolving, whenAborted(signal)]);
    if (resolved.kind !== 'resolved') return resolved;
    return sendRequest({ request, url, addresses: resolved.addresses, headers: checked.headers }, agents, responseMaxBytes, signal);
  };
};

/** The one way out of the service. Throws when a setting is no network or no origin. */
export const createEgress = (settings: EgressSettings): Egress => {
  const sandboxOrigin = settings.sandboxOrigin === undefined ? undefined : new URL(settings.sandboxOrigin).origin;
  const isSandbox = (url: URL): boolean => url.origin === sandboxOrigin;
  const agents: Agents = {
    http: new HttpAgent({ keepAlive: false, maxSockets: connectionsPerHostMax }),
    https: new HttpsAgent({ keepAlive: false, maxSockets: connectionsPerHostMax }),
  };
  const disabledFor: Egress['disabledFor'] = ({ url: text }) => {
    if (settings.allowRealEgress) return undefined;
    const url = checkUrl(text);
    return url instanceof URL && isSandbox(url) ? undefined : disabledReason;
  };
  const attempt = createAttempt(settings, agents, disabledFor, isSandbox);
  const underway = new Map<AbortController, Promise<EgressResult>>();
  let closed = false;

  const run = async (request: EgressRequest, controller: AbortController): Promise<EgressResult> => {
    const started = performance.now();
    const timeoutMs = request.timeoutMs ?? settings.timeoutMs ?? LIMITS.egress.timeoutMs;
    const timer = setTimeout(() => controller.abort('timeout' satisfies Interruption), timeoutMs);
    const result = await attempt(request, controller.signal).finally(() => {
      clearTimeout(timer);
      underway.delete(controller);
    });
    const duration_ms = Math.round(performance.now() - started);
    if (result.kind === 'answered') return { ...result, duration_ms };
    if (result.kind !== 'failed' || !controller.signal.aborted) return result;
    const interruption: Interruption = controller.signal.reason;
    return interruption === 'timeout' ? { kind: 'timeout', duration_ms, sent: result.sent } : { ...result, reason: closedReason };
  };

  return {
    disabledFor,
    call: (request) => {
      if (closed) return Promise.resolve({ kind: 'failed', reason: closedReason, sent: false });
      const controller = new AbortController();
      const running = run(request, controller);
      underway.set(controller, running);
      return running;
    },
    close: async () => {
      closed = true;
      const results = [...underway.values()];
      for (const controller of underway.keys()) controller.abort('closing' satisfies Interruption);
      await Promise.all(results);
      agents.http.destroy();
      agents.https.destroy();
    },
  };
};
