import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Egress } from '@svc/egress/create-egress.ts';
import { openInstanceEgress } from '@svc/operations/runtimes/runtimes/instance/open-instance.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { parseBlocks } from '@svc/postgres/incidents/emergency/blocked-destinations.ts';
import { createWeightedFairQueue, type Turns } from '../aside/in-turn.ts';

type Settings = {
  readonly egress: { readonly allowCidrs: readonly string[]; readonly nameServers: readonly string[] };
  readonly realEgress: boolean;
  readonly credentialsOverHttp: boolean;
};

const { testsUnderWayMax, testWaitMs } = LIMITS.runtimes;

/** Opens the egress client for instances of runtimes. One test at a time of an organization, and a few in all. */
export const openInstances = (
  { egress: { allowCidrs, nameServers }, realEgress, credentialsOverHttp }: Settings,
  database: Database,
): { readonly egress: Egress; readonly inTurn: Turns; readonly close: () => Promise<void> } => {
  const blocksOf = parseBlocks(database);
  const egress = openInstanceEgress({ allowRealEgress: realEgress, allowCidrs, nameServers, credentialsOverHttp, blocksOf });
  return { egress, inTurn: createWeightedFairQueue(testsUnderWayMax, testWaitMs), close: egress.close };
};
