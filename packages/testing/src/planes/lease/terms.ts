import { availableParallelism } from 'node:os';

/** Where the set-up of the run hands out planes: the path of a Unix socket, in the environment of each test file. */
export const LEASE_SOCKET = 'TEST_PLANES_SOCKET';

/** Each leased control plane has so many gateways; a test that needs one takes the first. */
export const GATEWAYS = 2;

/** Planes that nobody has a lease of are kept up to this number; the longest unused are stopped first. */
export const IDLE_MAX = Math.max(2, availableParallelism()) + 1;

/** First line of a lessee. A connection is a lease: it ends with the connection, and only after `DONE` are the planes fit for another. */
export type Request = { readonly env: Readonly<Record<string, string>> };

export const DONE = 'done';

/** The one line that answers it. */
export type Grant =
  | {
      readonly ok: true;
      readonly controlUrl: string;
      readonly gatewayUrls: readonly string[];
      readonly databaseUrl: string;
      /** What the planes write to standard error, and how much of it was there before the lease. */
      readonly logFile: string;
      readonly logStart: number;
    }
  | { readonly ok: false; readonly why: string };
