import type { Passport } from '@svc/contract/agents/agents/passports.ts';
import { type Insertable, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';

/** Replaces the previous version, whose expiry no longer matters. */
export const insertPassport = async (tx: TenantTransaction, passport: Insertable<Tables['passports']>): Promise<void> => {
  await tx
    .with('replaced', (db) =>
      db
        .updateTable('passports')
        .set({ end_pending: false })
        .where('organization_id', '=', passport.organization_id)
        .where('agent_id', '=', passport.agent_id)
        .where('end_pending', '=', true)
        .returning('id'),
    )
    .insertInto('passports')
    .values(passport)
    .execute();
};

/** The passport of the version that is in force. */
export const findCurrentPassport = (tx: TenantTransaction, organizationId: string, agentId: string): Promise<Passport | undefined> =>
  tx
    .selectFrom('passports as p')
    .innerJoin('agents as a', (join) =>
      join
        .onRef('a.organization_id', '=', 'p.organization_id')
        .onRef('a.id', '=', 'p.agent_id')
        .onRef('a.passport_version', '=', 'p.version'),
    )
    .select(['p.id', 'p.agent_id', 'p.version', 'p.token', 'p.issued_at', 'p.expires_at'])
    .where('p.organization_id', '=', organizationId)
    .where('p.agent_id', '=', agentId)
    .executeTakeFirst();

/** The passports of these agents that are in force. */
export const listCurrentPassports = (
  tx: TenantTransaction,
  organizationId: string,
  agentIds: readonly string[],
): Promise<Pick<Passport, 'id' | 'agent_id' | 'version'>[]> =>
  tx
    .selectFrom('passports as p')
    .innerJoin('agents as a', (join) =>
      join
        .onRef('a.organization_id', '=', 'p.organization_id')
        .onRef('a.id', '=', 'p.agent_id')
        .onRef('a.passport_version', '=', 'p.version'),
    )
    .select(['p.id', 'p.agent_id', 'p.version'])
    .where('p.organization_id', '=', organizationId)
    .where('p.agent_id', 'in', sql<string>`(select unnest(${[...agentIds]}::text[]))`)
    .execute();
