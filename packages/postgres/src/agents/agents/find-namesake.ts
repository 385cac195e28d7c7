import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { getStandingStatus } from './standing-status.ts';

export type Namesake = { readonly status: AgentStatus; readonly expires_at: string | null };

/** Returns the agent of an environment that has a name, or the last one that had it and ended; undefined if the name is free. */
export const findNamesake = (
  tx: TenantTransaction,
  organizationId: string,
  { environment_id, name }: { readonly environment_id: string; readonly name: string },
): Promise<Namesake | undefined> =>
  tx
    .selectFrom('agents')
    .select([getStandingStatus('agents').as('status'), 'expires_at'])
    .where('organization_id', '=', organizationId)
    .where('environment_id', '=', environment_id)
    .where('name', '=', name)
    .where('status', 'not in', ['REVOKED', 'DECOMMISSIONED'])
    // At most one has it by what is written.
    .orderBy(sql`status = 'EXPIRED'`)
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirst();
