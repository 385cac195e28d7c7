import type { ChosenPreferences } from '@svc/contract/events/notifications.ts';
import { builtInRole } from '@svc/contract/tables/built-in-roles.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { roleOf } from '../../people/auth/member-rights.ts';

/** Who is to be told of something. */
export type Audience = {
  readonly organization_id: string;
  /** Null where it is no workspace's: then who is limited to some is not told. */
  readonly workspace_id: string | null;
  /** All of these have to be held. */
  readonly reads: readonly Permission[];
  /** One of these has to be held; null where who is told is named, and the owners are. */
  readonly holds: readonly Permission[] | null;
  /** Told whatever their role is called. */
  readonly people: readonly string[];
  /** Names or ids of the roles of those who are told, and owners are; null for any. */
  readonly roles: readonly string[] | null;
  readonly except: readonly string[];
  /** Nobody else than those who are named. */
  readonly isNamedOnly?: true;
};

export type ToldPerson = { readonly user_id: string; readonly preferences: ChosenPreferences };

/** The members who are to be told, by what they may do now. A bounded number of them, those who joined first. */
export const findTold = async (tx: TenantTransaction, audience: Audience): Promise<ToldPerson[]> => {
  const { organization_id, workspace_id, reads, holds, people, roles, except, isNamedOnly = false } = audience;
  const owner = sql`m.role_id = ${builtInRole('owner').id}`;
  const { rows } = await sql<ToldPerson>`
    select m.user_id, coalesce(p.preferences, '{}') as preferences from members m
      ${roleOf('m')}
      left join notification_preferences p on p.user_id = m.user_id
     where m.organization_id = ${organization_id} and r.permissions @> ${[...reads]}::text[]
       and (${holds === null} or r.permissions && ${[...(holds ?? [])]}::text[])
       and (${holds !== null} or ${owner} or m.user_id = any (${[...people]}::text[]))
       and (${roles === null} or ${owner} or r.id = any (${[...(roles ?? [])]}::text[])
         or (r.organization_id is null and r.name = any (${[...(roles ?? [])]}::text[])) or m.user_id = any (${[...people]}::text[]))
       and (${!isNamedOnly} or m.user_id = any (${[...people]}::text[])) and not m.user_id = any (${[...except]}::text[])
       and (not m.is_limited or exists (select from member_workspaces w
         where w.organization_id = m.organization_id and w.member_id = m.id and w.workspace_id = ${workspace_id}::text))
     order by m.created_at, m.user_id limit ${LIMITS.notifications.toldMax}`.execute(tx);
  return rows;
};
