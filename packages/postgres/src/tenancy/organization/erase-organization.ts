import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** Finds organizations whose grace period has ended. */
export const findEndedOrganizations = async (identity: Database): Promise<string[]> =>
  (await sql<{ id: string }>`select id from organizations where deletes_at <= now() order by deletes_at`.execute(identity)).rows.map(
    ({ id }) => id,
  );

/** Returns true if any of it was removed already; call it with its row locked. */
export const isBeingErased = async (tx: TenantTransaction, organizationId: string): Promise<boolean> =>
  (await tx.selectFrom('deletion_certificates').select('began_at').where('organization_id', '=', organizationId).executeTakeFirst()) !==
  undefined;

/** The deleted rows of an organization by table, the time, and the requester. */
export type Deletion = {
  readonly organization_id: string;
  readonly asked_at: string;
  readonly asked_by: string;
  readonly reason: string;
  readonly began_at: string;
  readonly counts: Readonly<Record<string, number>>;
};

const DELETION = ['organization_id', 'asked_at', 'asked_by', 'reason', 'began_at', 'counts'] as const;

type Erased = { readonly called: string; readonly removed: number };

/**
 * Removes at most about `rowsMax` rows of an organization whose grace period has ended, and adds them to the counts of its certificate, in
 * one
 * transaction: an interrupted step is not counted. Returns the total so far and if the organization itself is removed;
 * undefined if there is nothing to remove, or not yet.
 */
export const eraseSome = async (
  tx: TenantTransaction,
  organizationId: string,
  { rowsMax, now }: { readonly rowsMax: number; readonly now: Date },
): Promise<{ readonly deletion: Deletion; readonly isGone: boolean } | undefined> => {
  await sql`
    insert into deletion_certificates (organization_id, asked_at, asked_by, reason, began_at)
    select id, deletion_asked_at, deletion_asked_by, deletion_reason, ${now} from organizations
     where id = ${organizationId} and deletes_at <= clock_timestamp() for update
        on conflict do nothing`.execute(tx);
  const { rows } = await sql<Erased>`select * from svc_erase_organization(${organizationId}, ${rowsMax})`.execute(tx);
  if (rows.length === 0) return undefined;
  const { counts } = await tx
    .selectFrom('deletion_certificates')
    .select('counts')
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  const sums: Record<string, number> = { ...counts };
  for (const { called, removed } of rows) sums[called] = (sums[called] ?? 0) + removed;
  const deletion = await tx
    .updateTable('deletion_certificates')
    .set({ counts: JSON.stringify(sums) })
    .where('organization_id', '=', organizationId)
    .returning(DELETION)
    .executeTakeFirstOrThrow();
  return { deletion, isGone: rows.some(({ called }) => called === 'organizations') };
};

/** Certifies that nothing is left. */
export const completeCertificate = async (tx: TenantTransaction, organizationId: string, digest: string, now: Date): Promise<void> => {
  await tx.updateTable('deletion_certificates').set({ completed_at: now, digest }).where('organization_id', '=', organizationId).execute();
};

export type Certificate = Deletion & { readonly completed_at: string | null; readonly digest: string | null };

/** Lists certificates of removed organizations, or those being removed, for the operator of the database; the newest first. */
export const listCertificates = (identity: Database, organizationId: string | undefined, limit: number): Promise<Certificate[]> => {
  const all = identity.selectFrom('deletion_certificates').select([...DELETION, 'completed_at', 'digest']);
  const asked = organizationId === undefined ? all : all.where('organization_id', '=', organizationId);
  return asked.orderBy('began_at', 'desc').limit(limit).execute();
};
