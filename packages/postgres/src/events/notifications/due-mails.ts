import type { ChosenPreferences } from '@svc/contract/events/notifications.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Rights } from '@svc/domain/people/auth/effective-rights.ts';
import type { RoleRecord } from '@svc/domain/people/roles/role.ts';
import { type Selectable, sql } from 'kysely';
import { requestedPeople, requestedRoles } from '../../actions/approvals/standing.ts';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';
import { memberRights, readMemberRole } from '../../people/auth/member-rights.ts';

const { mailRecipientsPerStepMax, notificationsPerMailMax } = LIMITS.notifications;

/** Finds organizations with due mails: one index look-up each, however many wait. */
export const findOrganizationsWithDueMails = async (identity: Database, now: Date): Promise<string[]> => {
  const next = (beyond: ReturnType<typeof sql>) => sql`
    select organization_id from notifications where mail_due_at is not null and ${beyond} order by organization_id, mail_due_at limit 1`;
  const { rows } = await sql<{ organization_id: string }>`
    with recursive waiting as (
      (${next(sql`true`)})
       union all
      select (${next(sql`organization_id > w.organization_id`)}) from waiting w where w.organization_id is not null)
    select organization_id from waiting w where organization_id is not null and exists (
      select from notifications n where n.organization_id = w.organization_id and n.mail_due_at <= ${now})`.execute(identity);
  return rows.map(({ organization_id }) => organization_id);
};

/** Lists the next recipients of an organization: the longest waiting first. */
export const listPeopleDue = async (tx: TenantTransaction, organizationId: string, now: Date): Promise<string[]> => {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from (
      select user_id, mail_due_at from notifications where organization_id = ${organizationId} and mail_due_at <= ${now}
       order by mail_due_at limit ${mailRecipientsPerStepMax * notificationsPerMailMax}) due
     group by user_id order by min(mail_due_at), user_id limit ${mailRecipientsPerStepMax}`.execute(tx);
  return rows.map(({ user_id }) => user_id);
};

type Row = Selectable<Tables['notifications']>;
export type DueNotification = Pick<
  Row,
  'id' | 'kind' | 'facts' | 'gathered' | 'gathered_mailed' | 'subject_id' | 'workspace_id' | 'in_inbox'
> & {
  /** For a waiting approval: its possible approvers; null for anything else, and for a decided approval. */
  readonly asked: { readonly roles: readonly string[]; readonly people: readonly string[] } | null;
};

/** Locks the due notifications of a person until the transaction ends; rows locked by another transaction are skipped. */
export const lockDue = async (tx: TenantTransaction, organizationId: string, userId: string, now: Date): Promise<DueNotification[]> => {
  const { rows } = await sql<DueNotification>`
    select n.id, n.kind, n.facts, n.gathered, n.gathered_mailed, n.subject_id, n.workspace_id, n.in_inbox,
           (select json_build_object('roles', ${requestedRoles}, 'people', ${requestedPeople}) from approvals p where p.organization_id = n.organization_id and p.id = n.subject_id
              and p.status = 'PENDING' and p.expires_at > ${now}) as asked
      from notifications n where n.organization_id = ${organizationId} and n.user_id = ${userId} and n.mail_due_at <= ${now}
     order by n.id limit ${notificationsPerMailMax} for update of n skip locked`.execute(tx);
  return rows;
};

/** A mail recipient: current rights, address, and preferences. */
export type Recipient = Rights & {
  readonly user_id: string;
  readonly email: string;
  readonly is_proved: boolean;
  readonly role: RoleRecord | null;
  readonly preferences: ChosenPreferences;
  readonly organization_name: string;
};

/** Undefined once they are no member. */
export const findRecipient = async (tx: TenantTransaction, organizationId: string, userId: string): Promise<Recipient | undefined> => {
  const { rows } = await sql<Recipient>`
    select m.user_id, ${memberRights}, u.email, u.email_verified_at is not null as is_proved, o.name as organization_name,
           coalesce(p.preferences, '{}') as preferences,
           case when r.id is not null then json_build_object('id', r.id, 'name', r.name, 'built_in', r.organization_id is null,
             'permissions', r.permissions) end as role
      from members m join users u on u.id = m.user_id join organizations o on o.id = m.organization_id
      ${readMemberRole('m')}
      left join notification_preferences p on p.user_id = m.user_id
     where m.organization_id = ${organizationId} and m.user_id = ${userId}`.execute(tx);
  return rows[0];
};

/** These are mailed later. */
export const putOffMails = async (
  tx: TenantTransaction,
  organizationId: string,
  ids: readonly string[],
  until: string | Date,
): Promise<void> => {
  if (ids.length === 0) return;
  await sql`update notifications set mail_due_at = ${until} where organization_id = ${organizationId} and id = any (${[...ids]}::text[])`.execute(
    tx,
  );
};

/** Marks these as mailed, or no longer to be mailed; those outside of an inbox are deleted. */
export const settleMails = async (tx: TenantTransaction, organizationId: string, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  const these = sql`organization_id = ${organizationId} and id = any (${[...ids]}::text[])`;
  await sql`delete from notifications where ${these} and not in_inbox`.execute(tx);
  await sql`update notifications set mail_due_at = null, gathered_mailed = gathered where ${these}`.execute(tx);
};
