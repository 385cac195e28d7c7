import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { DestinationBlock } from '@svc/domain/incidents/emergency/blocked-destination.ts';
import { parseBlockPattern } from '@svc/domain/incidents/emergency/blocked-destination.ts';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import { readInTenant, type TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';
import { countUpTo, type Listed, type ListedPart, listed } from '../../lists/listed.ts';

export type BlockedRow = Selectable<Tables['blocked_destinations']>;

const { blockedMax } = LIMITS.emergency;

const inForce = (tx: TenantTransaction, organizationId: string) =>
  tx
    .selectFrom('blocked_destinations')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<string>`now()`)]));

/** Blocks that are in force, newest first. */
export const listBlockedDestinations = (tx: TenantTransaction, organizationId: string, part: ListedPart): Promise<Listed<BlockedRow>> => {
  const found = inForce(tx, organizationId);
  return listed(
    part,
    ({ limit, offset }) => found.orderBy('id', 'desc').limit(limit).offset(offset).execute(),
    (max) => countUpTo(tx, found, max),
  );
};

/** The block of a pattern that is in force. */
export const findBlockOfPattern = (tx: TenantTransaction, organizationId: string, pattern: string): Promise<BlockedRow | undefined> =>
  inForce(tx, organizationId).where('pattern', '=', pattern).executeTakeFirst();

/** Changes of the blocks of one organization happen one after the other. */
export const takeBlockTurn = async (tx: TenantTransaction, organizationId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('svc blocked destinations ' || ${organizationId}, 0))`.execute(tx);
};

export const insertBlock = async (tx: TenantTransaction, row: Insertable<Tables['blocked_destinations']>): Promise<void> => {
  await tx.insertInto('blocked_destinations').values(row).execute();
};

/** Deletes a block; undefined if there is none. */
export const deleteBlock = (tx: TenantTransaction, organizationId: string, id: string): Promise<BlockedRow | undefined> =>
  tx
    .deleteFrom('blocked_destinations')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

/** Deletes blocks that ended by themselves, and returns how many are left. */
export const clearEndedBlocks = async (tx: TenantTransaction, organizationId: string): Promise<number> => {
  await tx
    .deleteFrom('blocked_destinations')
    .where('organization_id', '=', organizationId)
    .where('expires_at', '<=', sql<string>`now()`)
    .execute();
  const { count } = await tx
    .selectFrom('blocked_destinations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return count;
};

/** An unreadable stored pattern throws: what it blocks is unknown, so no call may be made. */
const readBlock = ({ id, pattern: text, expires_at }: BlockedRow): DestinationBlock => {
  const pattern = parseBlockPattern(text);
  if ('fault' in pattern) throw new Error(`blocked_destinations ${id} holds a pattern that cannot be read`);
  return { id, pattern, expires_at };
};

/** Every block of an organization, ready to be compared. */
export const readBlocks = async (tx: TenantTransaction, organizationId: string): Promise<readonly DestinationBlock[]> => {
  const rows = await inForce(tx, organizationId).orderBy('id').limit(blockedMax).execute();
  return rows.map(readBlock);
};

/** Reads the blocks of a tenant for an egress client. */
export const parseBlocks =
  (database: Database) =>
  (organizationId: string): Promise<readonly DestinationBlock[]> =>
    readInTenant(database, { organization_id: organizationId }, (tx) => readBlocks(tx, organizationId));
