import { availableParallelism } from 'node:os';

/** Path of the Unix socket on which the run serves leases, in the environment of each test file. */
export const LEASE_SOCKET = 'TEST_PLANES_SOCKET';

/** Gateways of each leased control plane; a test that needs one uses the first. */
export const GATEWAYS = 2;

/** Maximum of unleased planes; the longest unused are stopped first. */
export const IDLE_MAX = Math.max(2, availableParallelism()) + 1;

/** First line of a lessee. A connection is a lease: it ends with the connection, and only after `DONE` are the planes fit for another. */
export type LeaseRequest = { readonly env: Readonly<Record<string, string>> };

export const DONE = 'done';

/** The line that answers it. */
export type LeaseGrant =
  | {
      readonly ok: true;
      readonly controlUrl: string;
      readonly gatewayUrls: readonly string[];
      readonly databaseUrl: string;
      /** Standard error of the planes, and its length before the lease. */
      readonly logFile: string;
      readonly logStart: number;
    }
  | { readonly ok: false; readonly why: string };
