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

/** What every endpoint needs, whichever the plane. */
/** A request of an agent, as far as its credential is about it. */
export type AgentRequest = {
  readonly id: string;
  readonly traceId: string;
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly authorization?: string | undefined; readonly dpop?: string | string[] | undefined };
  /** Set where a proof of possession is missing or wrong; the answer then challenges for one. */
  dpopError: string | null;
};

export type ServeDeps = {
  readonly database: Database;
  /** Connections for rows that are emergencies; those of `database` when left out. */
  readonly emergencies?: Database;
  readonly identity: Database;
  readonly rateLimiter: RateLimiter;
  /** Counts in this process, for what must not depend on a shared store; `rateLimiter` when left out. */
  readonly processRateLimiter?: RateLimiter;
  /** What the subscription covers; without it, everything. */
  readonly licence?: Licence;
  readonly log: Logger;
  readonly clock: () => Date;
  /** The answer while the time is not known for sure; without it, it always is. */
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
  /** Open at the same time, in all and from one address. */
  readonly connections: { readonly totalMax: number; readonly perAddressMax: number };
  /** Places for what agents ask, fair between organizations. Without it nobody waits for a turn. */
  readonly places?: PlaceSemaphore;
  /** Told of every request; without it nobody watches. */
  readonly watch?: Watch | undefined;
  /** Where the other plane is, for pages that lead there. */
  readonly otherUrl: string | undefined;
  /** Returns the public address of a plane whose endpoints are OAuth resources. */
  readonly resourceOrigin?: () => string | undefined;
  /** Returns true for an `Origin` of the console, whose pages may call the rows marked `fromConsole`; without it no other origin may. */
  readonly isConsoleOrigin?: (origin: string) => boolean;
  /** Returns the nonce for proofs of possession (RFC 9449); without it no proof is looked at. */
  readonly dpopNonce?: () => string;
  readonly requestHashes: RequestHashes;
  /** Whether to believe the last entry of X-Forwarded-For: true only behind a proxy that writes it. */
  readonly trustProxy: boolean;
  /** Of the plane that has pages; without it no cookie is looked at. */
  readonly browser?: BrowserTerms;
  /** Only the gateway knows agents. Who the token is for, and that its session is alive wherever the pipeline does not ask so itself. */
  readonly authenticateAgent?: (
    token: string,
    now: number,
    row: Endpoint,
    request: AgentRequest,
  ) => AgentCaller | Refusal | Promise<AgentCaller | Refusal>;
};
