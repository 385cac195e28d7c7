import type { ControlState } from '@svc/contract/tables/compliance/controls.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** The state of each control when the job last looked, and since when it is so. */
export type KeptStates = Readonly<Record<string, { readonly state: ControlState; readonly since: string }>>;

/** Finds active organizations that are older than `before` and were last checked before it, the longest waiting first. */
export const findOrganizationsToJudge = async (identity: Database, before: Date, limit: number): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select o.id from organizations o left join compliance_judgements j on j.organization_id = o.id
     where o.deletes_at is null and o.created_at <= ${before} and (j.judged_at is null or j.judged_at <= ${before})
     order by j.judged_at nulls first limit ${limit}`.execute(identity);
  return rows.map(({ id }) => id);
};

/** Claims an organization's check: of concurrent processes one gets it, with the stored result; the others get nothing. */
export const claimJudgement = async (
  tx: TenantTransaction,
  organizationId: string,
  { now, before }: { readonly now: Date; readonly before: Date },
): Promise<KeptStates | undefined> => {
  const { rows } = await sql<{ states: KeptStates }>`
    insert into compliance_judgements as j (organization_id, judged_at) values (${organizationId}, ${now})
    on conflict (organization_id) do update set judged_at = excluded.judged_at where j.judged_at <= ${before}
    returning states`.execute(tx);
  return rows[0]?.states;
};

/** Returns false if another process claimed it since. */
export const keepJudgement = async (
  tx: TenantTransaction,
  organizationId: string,
  states: KeptStates,
  claimedAt: Date,
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('compliance_judgements')
    .set({ states: JSON.stringify(states) })
    .where('organization_id', '=', organizationId)
    .where('judged_at', '=', claimedAt.toISOString())
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

export const readJudgement = async (tx: TenantTransaction, organizationId: string): Promise<KeptStates> => {
  const row = await tx
    .selectFrom('compliance_judgements')
    .select('states')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row?.states ?? {};
};
