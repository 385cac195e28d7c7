import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** Organizations whose time of grace is over. */
export const findEndedOrganizations = async (identity: Database): Promise<string[]> =>
  (await sql<{ id: string }>`select id from organizations where deletes_at <= now() order by deletes_at`.execute(identity)).rows.map(
    ({ id }) => id,
  );

/** Whether anything of it has been removed already; asked by whoever holds its row. */
export const isBeingErased = async (tx: TenantTransaction, organizationId: string): Promise<boolean> =>
  (await tx.selectFrom('deletion_certificates').select('began_at').where('organization_id', '=', organizationId).executeTakeFirst()) !==
  undefined;

/** What was deleted of an organization, by table, when, and at whose wish. */
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
 * Removes at most about `rowsMax` rows of an organization whose time of grace is over, and adds them to what its certificate counts, in one
 * transaction: whatever breaks off in the middle is counted once. Answers what has gone so far and whether the organization itself has;
 * undefined when there is nothing to remove, or not yet.
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

/** Certificates of organizations that are gone, or going, for whoever operates the database; the newest first. */
export const listCertificates = (identity: Database, organizationId: string | undefined, limit: number): Promise<Certificate[]> => {
  const all = identity.selectFrom('deletion_certificates').select([...DELETION, 'completed_at', 'digest']);
  const asked = organizationId === undefined ? all : all.where('organization_id', '=', organizationId);
  return asked.orderBy('began_at', 'desc').limit(limit).execute();
};
