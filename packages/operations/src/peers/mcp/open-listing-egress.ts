import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createEgress, type Egress, type EgressSettings } from '@svc/egress/create-egress.ts';

/** Which MCP servers may be reached, and how. */
export type ListingReach = {
  readonly allowRealEgress: boolean;
  readonly allowCidrs: readonly string[];
  readonly nameServers: readonly string[];
  readonly credentialsOverHttp: boolean;
  readonly sandboxOrigin?: string | undefined;
  /** Reads the destinations that an organization blocks. */
  readonly blocksOf: NonNullable<EgressSettings['blocksOf']>;
};

const { listingBytesMax, listingMs } = LIMITS.mcp;

/** Opens the egress client for listings. Responses are read as text, so that definitions stay as the server sent them. */
export const openListingEgress = ({ sandboxOrigin, credentialsOverHttp, ...reach }: ListingReach): Egress =>
  createEgress({
    ...{ ...reach, showsCredentials: credentialsOverHttp },
    ...(sandboxOrigin === undefined ? {} : { sandboxOrigin }),
    ...{ responseMaxBytes: listingBytesMax, timeoutMs: listingMs, asText: true, readsAtOnce: true },
  });
