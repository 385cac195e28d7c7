import type { AuditSubject } from '@svc/contract/audit-subjects.ts';
import type { NotificationKind } from '@svc/contract/events/notification-kinds.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

const { noticeLifetimeSeconds, noticeRetentionSeconds, sweepBatchMax } = LIMITS.notifications;

/** A notice. A duplicate of the same kind and `about` is ignored. */
export type Notice = {
  readonly organization_id: string;
  readonly kind: NotificationKind;
  readonly about: string;
  readonly subject_type: AuditSubject;
  readonly subject_id: string;
  readonly workspace_id: string | null;
  readonly environment_id: string | null;
  /** Null if a job created it. */
  readonly event_id: string | null;
  readonly facts: Readonly<Record<string, string>>;
  /** How long duplicates are detected; omitted for the usual time. */
  readonly kept_until?: string;
};

/** Enqueues notices. Called by a feed consumer, or in a change of one organization. */
export const leaveNotices = async (tx: Database | TenantTransaction, notices: readonly Notice[]): Promise<void> => {
  if (notices.length === 0) return;
  await sql`
    insert into notices (organization_id, kind, about, subject_type, subject_id, workspace_id, environment_id, event_id, facts, kept_until)
    select organization_id, kind, about, subject_type, subject_id, workspace_id, environment_id, event_id, facts,
           greatest(kept_until, statement_timestamp() + make_interval(secs => ${noticeRetentionSeconds}))
      from jsonb_to_recordset(${JSON.stringify(notices)}::jsonb) as n (organization_id text, kind text, about text, subject_type text,
        subject_id text, workspace_id text, environment_id text, event_id text, facts jsonb, kept_until timestamptz)
    on conflict do nothing`.execute(tx);
};

/** Finds organizations with pending notices, or with notices that can be forgotten. */
export const findOrganizationsWithNotices = async (identity: Database, now: Date): Promise<string[]> => {
  const { rows } = await sql<{ organization_id: string }>`
    with recursive waiting as (
      (select organization_id from notices where done_at is null order by organization_id limit 1)
       union all
      select (select n.organization_id from notices n where n.done_at is null and n.organization_id > w.organization_id
               order by n.organization_id limit 1)
        from waiting w where w.organization_id is not null)
    select organization_id from waiting where organization_id is not null
     union
    select organization_id from (select organization_id from notices where done_at is not null and kept_until <= ${now} limit ${sweepBatchMax}) old`.execute(
    identity,
  );
  return rows.map(({ organization_id }) => organization_id);
};

/** Takes the next notices of an organization and marks them as done. Undeliverable ones are dropped after a time. */
export const takeNotices = async (tx: TenantTransaction, organizationId: string, now: Date, limit: number): Promise<Notice[]> => {
  const { rows } = await sql<Notice & { is_old: boolean }>`
    update notices n set done_at = ${now} from (
      select kind, about from notices where organization_id = ${organizationId} and done_at is null
       order by created_at limit ${limit} for update skip locked) t
     where n.organization_id = ${organizationId} and n.kind = t.kind and n.about = t.about
    returning n.organization_id, n.kind, n.about, n.subject_type, n.subject_id, n.workspace_id, n.environment_id, n.event_id, n.facts,
              n.created_at < ${now}::timestamptz - make_interval(secs => ${noticeLifetimeSeconds}) as is_old`.execute(tx);
  return rows.flatMap(({ is_old, ...notice }) => (is_old ? [] : [notice]));
};

/** Deletes old notices of an organization. */
export const forgetNotices = async (tx: TenantTransaction, organizationId: string, now: Date): Promise<void> => {
  await sql`
    delete from notices n using (
      select kind, about from notices where organization_id = ${organizationId} and done_at is not null and kept_until <= ${now}
       limit ${sweepBatchMax}) o
     where n.organization_id = ${organizationId} and n.kind = o.kind and n.about = o.about`.execute(tx);
};
