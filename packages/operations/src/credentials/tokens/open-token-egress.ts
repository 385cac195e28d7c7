import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createEgress, type Egress, type EgressSettings } from '@svc/egress/create-egress.ts';

const { oauth } = LIMITS;

export type EgressLimits = {
  readonly allowRealEgress: boolean;
  readonly allowCidrs: readonly string[];
  readonly nameServers: readonly string[];
  /** True if token endpoints may be called without TLS within private networks. */
  readonly showsCredentials: boolean;
  /** Reads the destinations that an organization blocks. */
  readonly blocksOf: NonNullable<EgressSettings['blocksOf']>;
};

/**
 * Opens the egress to token endpoints. Its slots are shared between organizations, separately from those of tools, which wait for its
 * result.
 */
export const openTokenEgress = (reached: EgressLimits): Egress =>
  createEgress({
    ...reached,
    timeoutMs: oauth.requestMs,
    responseMaxBytes: oauth.responseBytesMax,
    readsAtOnce: true,
    asText: true,
  });
