import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import type { PlaceSemaphore } from '@svc/fairness/semaphore/place-semaphore.ts';
import type { RequestHashes } from '@svc/keyring/bytes/request-hashes.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { RateLimiter } from '@svc/shared-state/rate-limiter.ts';
import type { Logger } from 'pino';
import type { BrowserTerms } from '../browser/terms.ts';
import type { Watch } from '../watch/open-watch.ts';
import type { AgentCaller } from './call.ts';
import type { Licence } from './licence.ts';

/** Members of an agent's request that its authentication reads. */
export type AgentRequest = {
  readonly id: string;
  readonly traceId: string;
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly authorization?: string | undefined; readonly dpop?: string | string[] | undefined };
  /** Set if a proof of possession is missing or wrong; the response then requests one. */
  dpopError: string | null;
};

/** Dependencies of every endpoint on both planes. */
export type ServeDeps = {
  readonly database: Database;
  /** Connections for rows that are emergencies; defaults to `database`. */
  readonly emergencies?: Database;
  readonly identity: Database;
  readonly rateLimiter: RateLimiter;
  /** Rate limiter of this process, for what must not depend on a shared store; defaults to `rateLimiter`. */
  readonly processRateLimiter?: RateLimiter;
  /** Coverage of the subscription; without it, everything is covered. */
  readonly licence?: Licence;
  readonly log: Logger;
  readonly clock: () => Date;
  /** Returns a refusal while the time is uncertain; without it, it never is. */
  readonly clockRefusal?: () => Refusal | undefined;
  readonly sessionIdleTimeoutSeconds: number;
  readonly rates: {
    readonly loginPerMinute: number;
    readonly controlPlanePerMinute: number;
    readonly gatewayTokenPerMinute: number;
    readonly gatewayActionsPerMinute: number;
    readonly addressPerMinute: number;
    readonly organizationPerMinute: number;
    readonly organizationActionsPerMinute: number;
    readonly organizationKibPerMinute: number;
  };
  /** Maximum of open connections, in total and per address. */
  readonly connections: { readonly totalMax: number; readonly perAddressMax: number };
  /** Slots for agents' requests, fair between organizations. Without it there is no queue. */
  readonly places?: PlaceSemaphore;
  /** Receives telemetry of every request; without it there is none. */
  readonly watch?: Watch | undefined;
  /** Address of the other plane, for links. */
  readonly otherUrl: string | undefined;
  /** Returns the public address of a plane whose endpoints are OAuth resources. */
  readonly resourceOrigin?: () => string | undefined;
  /** True for an `Origin` of the console, whose pages may call the rows marked `fromConsole`; without it no other origin may. */
  readonly isConsoleOrigin?: (origin: string) => boolean;
  /** Returns the nonce for proofs of possession (RFC 9449); without it proofs are ignored. */
  readonly dpopNonce?: () => string;
  readonly requestHashes: RequestHashes;
  /** True if the last entry of X-Forwarded-For is trusted: only behind a proxy that writes it. */
  readonly trustProxy: boolean;
  /** For a plane with pages; without it cookies are ignored. */
  readonly browser?: BrowserTerms;
  /**
   * Authenticates agents, on the gateway only. Checks the audience of the token, and that its session is alive unless the pipeline checks
   * it.
   */
  readonly authenticateAgent?: (
    token: string,
    now: number,
    row: Endpoint,
    request: AgentRequest,
  ) => AgentCaller | Refusal | Promise<AgentCaller | Refusal>;
};
