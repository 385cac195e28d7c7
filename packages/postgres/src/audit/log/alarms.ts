import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { rejectionsDue } from './rejections.ts';

/** A log of which nothing is sealed any more. */
export type HeldLog = { readonly organization_id: string; readonly size: number; readonly held_since: string };

export const listHeldLogs = (identity: Database): Promise<readonly HeldLog[]> =>
  identity
    .selectFrom('audit_trees')
    .select(['organization_id', 'size', sql<string>`held_since`.as('held_since')])
    .where('held_since', 'is not', null)
    .orderBy('held_since')
    .execute();

export const countHeldLogs = async (reader: Database): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from audit_trees where held_since is not null`.execute(
    reader,
  );
  return rows[0]?.count ?? 0;
};

/** A log of which an external anchor has a different tree. */
export type LogConflict = {
  readonly organization_id: string;
  readonly anchor: string;
  readonly size: number;
  readonly reason: string | null;
  readonly conflict_since: string;
};

export const listLogConflicts = (identity: Database): Promise<readonly LogConflict[]> =>
  identity
    .selectFrom('audit_anchorings')
    .select(['organization_id', 'anchor', 'size', 'reason', sql<string>`conflict_since`.as('conflict_since')])
    .where('conflict_since', 'is not', null)
    .orderBy('conflict_since')
    .execute();

/** Finds organizations whose record lacks a report about their log. */
export const findUntoldLogs = async (identity: Database): Promise<string[]> => {
  const { rows } = await sql<{ organization_id: string }>`
    select organization_id from audit_trees where (held_since is not null and held_told_at is null) or lifted is not null
     union
    select organization_id from audit_anchorings where conflict_since is not null and conflict_told_at is null
     union
    ${rejectionsDue}`.execute(identity);
  return rows.map(({ organization_id }) => organization_id);
};

/** A pending report about one log; the process that takes it reports it. */
export type UntoldLog = {
  readonly held: { readonly size: number; readonly held_since: string } | undefined;
  readonly lifted: Record<string, unknown> | undefined;
  readonly conflicts: readonly Pick<LogConflict, 'anchor' | 'reason' | 'conflict_since'>[];
};

export const takeUntold = async (tx: TenantTransaction, organizationId: string): Promise<UntoldLog> => {
  const held = await sql<{ size: number; held_since: string }>`
    update audit_trees set held_told_at = now()
     where organization_id = ${organizationId} and held_since is not null and held_told_at is null returning size, held_since`.execute(tx);
  const lifted = await sql<{ lifted: Record<string, unknown> }>`
    update audit_trees t set lifted = null from (select organization_id, lifted from audit_trees
      where organization_id = ${organizationId} and lifted is not null for update) as before
     where t.organization_id = before.organization_id returning before.lifted`.execute(tx);
  const conflicts = await sql<{ anchor: string; reason: string | null; conflict_since: string }>`
    update audit_anchorings set conflict_told_at = now()
     where organization_id = ${organizationId} and conflict_since is not null and conflict_told_at is null
    returning anchor, reason, conflict_since`.execute(tx);
  return { held: held.rows[0], lifted: lifted.rows[0]?.lifted, conflicts: conflicts.rows };
};
