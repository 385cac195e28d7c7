import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

const { remindBeforePartCount, remindBeforeSecondsMax } = LIMITS.approvals;

/** Within the last part of its lifetime, and never long before its end. */
const isNear = (now: Date) => sql`
  status = 'PENDING' and reminded_at is null and expires_at > ${now} and expires_at <= ${now}::timestamptz + make_interval(secs => ${remindBeforeSecondsMax})
  and expires_at - ${now}::timestamptz <= (expires_at - requested_at) / ${remindBeforePartCount}`;

/** Finds organizations with an approval that expires soon, without a reminder so far. */
export const findOrganizationsToRemind = async (identity: Database, now: Date): Promise<string[]> => {
  const { rows } = await sql<{ organization_id: string }>`select distinct organization_id from approvals where ${isNear(now)}`.execute(
    identity,
  );
  return rows.map((row) => row.organization_id);
};

export type EndingApproval = {
  readonly id: string;
  readonly workspace_id: string;
  readonly environment_id: string;
  readonly expires_at: string;
};

/** Claims approvals that are due for a reminder: each is claimed once. */
export const takeToRemind = async (tx: TenantTransaction, organizationId: string, now: Date, limit: number): Promise<EndingApproval[]> => {
  const { rows } = await sql<EndingApproval>`
    update approvals p set reminded_at = ${now} from (
      select id from approvals where organization_id = ${organizationId} and ${isNear(now)} order by expires_at limit ${limit} for update skip locked) d
     where p.organization_id = ${organizationId} and p.id = d.id and p.reminded_at is null
    returning p.id, p.workspace_id, p.environment_id, p.expires_at`.execute(tx);
  return rows;
};
