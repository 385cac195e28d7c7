import type { ListedCard } from '@svc/contract/agents/agents/listings.ts';
import { isFinal } from '@svc/domain/agents/agents/final-status.ts';
import { findListedAgent } from '@svc/postgres/agents/agents/agent-listings.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { GatewayDeps } from '../../../deps.ts';

export type PublishedAgent = { readonly organization_id: string; readonly environment_id: string; readonly card: ListedCard };

/** Finds a published agent; undefined for any other. The card of an ended agent is not served. */
export const findPublishedAgent = async (
  { homes, database }: Pick<GatewayDeps, 'homes' | 'database'>,
  agentId: string,
): Promise<PublishedAgent | undefined> => {
  const home = await homes(agentId);
  if (home === undefined) return undefined;
  const { organization_id, environment_id } = home;
  const found = await readInTenant(database, { organization_id }, (tx) => findListedAgent(tx, organization_id, agentId));
  return found === undefined || isFinal(found.status) ? undefined : { organization_id, environment_id, card: found.card };
};
