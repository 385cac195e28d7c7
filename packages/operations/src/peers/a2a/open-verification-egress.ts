import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createEgress, type Egress } from '@svc/egress/create-egress.ts';
import type { ListingReach } from '../mcp/open-listing-egress.ts';

const { cardBytesMax, cardMs } = LIMITS.a2a;

/**
 * Opens the egress client that reads agent cards, and sends challenges and push notifications. Responses are read as text, so that cards stay as they were served.
 */
export const openVerificationEgress = ({ sandboxOrigin, credentialsOverHttp, ...reach }: ListingReach): Egress =>
  createEgress({
    ...{ ...reach, showsCredentials: credentialsOverHttp },
    ...(sandboxOrigin === undefined ? {} : { sandboxOrigin }),
    ...{ responseMaxBytes: cardBytesMax, timeoutMs: cardMs, asText: true, readsAtOnce: true },
  });
