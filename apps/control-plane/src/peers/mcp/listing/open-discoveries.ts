import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Egress } from '@svc/egress/create-egress.ts';
import { openVerificationEgress } from '@svc/operations/peers/a2a/open-verification-egress.ts';
import { openListingEgress } from '@svc/operations/peers/mcp/open-listing-egress.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { parseBlocks } from '@svc/postgres/incidents/emergency/blocked-destinations.ts';
import { createWeightedFairQueue, type Turns } from '../../../aside/in-turn.ts';

/** The egress client for listings, and its queue: one listing at a time per organization, and a few in total. */
export type Discoveries = { readonly egress: Egress; readonly inTurn: Turns; readonly close: () => Promise<void> };

type Settings = {
  readonly egress: { readonly allowCidrs: readonly string[]; readonly nameServers: readonly string[] };
  readonly realEgress: boolean;
  readonly sandboxOrigin: string | undefined;
  readonly credentialsOverHttp: boolean;
};

const { listingsUnderWayMax, listingWaitMs } = LIMITS.mcpServers;

export const openDiscoveries = (settings: Settings, database: Database): Discoveries => {
  const { egress: reach, realEgress, sandboxOrigin, credentialsOverHttp } = settings;
  const { allowCidrs, nameServers } = reach;
  const egress = openListingEgress({
    ...{ allowRealEgress: realEgress, allowCidrs, nameServers, credentialsOverHttp, sandboxOrigin },
    blocksOf: parseBlocks(database),
  });
  return { egress, inTurn: createWeightedFairQueue(listingsUnderWayMax, listingWaitMs), close: egress.close };
};

const { verificationsUnderWayMax, verificationWaitMs } = LIMITS.a2a;

/** Opens the same for verifications of A2A connections. */
export const openVerifications = (settings: Settings, database: Database): Discoveries => {
  const { egress: reach, realEgress, sandboxOrigin, credentialsOverHttp } = settings;
  const { allowCidrs, nameServers } = reach;
  const egress = openVerificationEgress({
    ...{ allowRealEgress: realEgress, allowCidrs, nameServers, credentialsOverHttp, sandboxOrigin },
    blocksOf: parseBlocks(database),
  });
  return { egress, inTurn: createWeightedFairQueue(verificationsUnderWayMax, verificationWaitMs), close: egress.close };
};
