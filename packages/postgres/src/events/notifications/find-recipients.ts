import type { ChosenPreferences } from '@svc/contract/events/notifications.ts';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { readMemberRole } from '../../people/auth/member-rights.ts';

/** The audience of a notice. */
export type NoticeAudience = {
  readonly organization_id: string;
  /** Null if it has no workspace: then members limited to some are not notified. */
  readonly workspace_id: string | null;
  /** All of these have to be held. */
  readonly reads: readonly Permission[];
  /** Any one of these is required; null if recipients are named, in addition to the owners. */
  readonly holds: readonly Permission[] | null;
  /** Notified with any role. */
  readonly people: readonly string[];
  /** Names or ids of the roles of recipients, owners included; null for any. */
  readonly roles: readonly string[] | null;
  readonly except: readonly string[];
  /** Only those who are named. */
  readonly isNamedOnly?: true;
};

export type NotificationRecipient = { readonly user_id: string; readonly preferences: ChosenPreferences };

/** Finds the members to notify, by their current rights. A bounded number, the longest members first. */
export const findRecipients = async (tx: TenantTransaction, audience: NoticeAudience): Promise<NotificationRecipient[]> => {
  const { organization_id, workspace_id, reads, holds, people, roles, except, isNamedOnly = false } = audience;
  const owner = sql`m.role_id = ${getBuiltInRole('owner').id}`;
  const { rows } = await sql<NotificationRecipient>`
    select m.user_id, coalesce(p.preferences, '{}') as preferences from members m
      ${readMemberRole('m')}
      left join notification_preferences p on p.user_id = m.user_id
     where m.organization_id = ${organization_id} and r.permissions @> ${[...reads]}::text[]
       and (${holds === null} or r.permissions && ${[...(holds ?? [])]}::text[])
       and (${holds !== null} or ${owner} or m.user_id = any (${[...people]}::text[]))
       and (${roles === null} or ${owner} or r.id = any (${[...(roles ?? [])]}::text[])
         or (r.organization_id is null and r.name = any (${[...(roles ?? [])]}::text[])) or m.user_id = any (${[...people]}::text[]))
       and (${!isNamedOnly} or m.user_id = any (${[...people]}::text[])) and not m.user_id = any (${[...except]}::text[])
       and (not m.is_limited or exists (select from member_workspaces w
         where w.organization_id = m.organization_id and w.member_id = m.id and w.workspace_id = ${workspace_id}::text))
     order by m.created_at, m.user_id limit ${LIMITS.notifications.recipientsMax}`.execute(tx);
  return rows;
};
