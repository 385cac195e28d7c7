import type { Claim, LostClaim } from '@svc/enforcement/facts/claims.ts';
import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import { readInTenant } from '../connection/in-tenant.ts';
import { askToLook, type ClaimRow } from './ask-claims.ts';

/** Checks if all these claims of one decision would fit now: returns one that does not, or null. Writes nothing and takes no lock. */
export const lookAtClaims = (database: Database, organizationId: string, claims: readonly Claim[]): Promise<LostClaim | null> =>
  readInTenant(database, { organization_id: organizationId }, async (tx) => {
    const asked = askToLook(organizationId, claims);
    const { rows } = await sql<ClaimRow>`select * from svc_take_claims(${asked.json}::jsonb)`.execute(tx);
    const row = rows[0];
    if (!row) throw new Error('counters were asked and did not answer');
    return row.outcome === 'lost' ? asked.lostOf(row) : null;
  });
