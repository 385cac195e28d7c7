import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createEgress, type Egress, type EgressSettings } from '@svc/egress/create-egress.ts';

const { oauth } = LIMITS;

export type Reached = {
  readonly allowRealEgress: boolean;
  readonly allowCidrs: readonly string[];
  readonly nameServers: readonly string[];
  /** Whether token endpoints may be asked without TLS within private networks. */
  readonly showsCredentials: boolean;
  /** Reads the destinations that an organization blocks. */
  readonly blocksOf: NonNullable<EgressSettings['blocksOf']>;
};

/** The way out to token endpoints. Its places are shared out among organizations apart from those of tools, which wait for what it brings. */
export const openTokenEgress = (reached: Reached): Egress =>
  createEgress({
    ...reached,
    timeoutMs: oauth.requestMs,
    responseMaxBytes: oauth.answerBytesMax,
    readsAtOnce: true,
    asText: true,
  });
