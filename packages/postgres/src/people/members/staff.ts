import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { RightsLink } from '@svc/domain/people/auth/effective-rights.ts';
import type { RoleRecord } from '@svc/domain/people/roles/role.ts';
import { sql } from 'kysely';
import type { EventActor } from '../../change/change.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { memberRights, readMemberRole } from '../auth/member-rights.ts';

const getKey = (organizationId: string) => sql`hashtextextended(${`svc staff of ${organizationId}`}, 0)`;

/**
 * For a transaction that changes permissions in an organization: waits for every other, and for votes, until they have ended. So the
 * members, roles and keys that it reads are current when it writes.
 */
export const lockStaff = async (tx: TenantTransaction, organizationId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${getKey(organizationId)})`.execute(tx);
};

/** For a transaction that depends on permissions: changes of them wait for it, and others like it do not. */
export const holdStaff = async (tx: TenantTransaction, organizationId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(${getKey(organizationId)})`.execute(tx);
};

export type StandingRows = {
  /** In the form of `readSessions` and `readApiKeys`. */
  readonly links: readonly RightsLink[];
  /** The role of the first of them. */
  readonly role: RoleRecord | null;
};

const ROLE = sql.raw(`case when r.id is not null then json_build_object(
  'id', r.id, 'name', r.name, 'built_in', r.organization_id is null, 'permissions', r.permissions) end as role`);

const personNow = async (tx: TenantTransaction, organizationId: string, userId: string) => {
  const { rows } = await sql<Pick<RightsLink, 'permissions' | 'workspace_ids'> & { role: RoleRecord | null }>`
    select ${memberRights}, ${ROLE} from members m ${readMemberRole('m')}
     where m.organization_id = ${organizationId} and m.user_id = ${userId}`.execute(tx);
  return rows[0];
};

type KeyNow = Pick<RightsLink, 'permissions' | 'workspace_ids' | 'expires_at' | 'revoked_at'> & {
  created_by: string;
  role: RoleRecord | null;
};

const keysNow = async (tx: TenantTransaction, organizationId: string, keyId: string): Promise<KeyNow[]> => {
  const { rows } = await sql<KeyNow>`
    with recursive chain as (
      select 0 as step, k.* from api_keys k where k.organization_id = ${organizationId} and k.id = ${keyId}
       union all
      select c.step + 1, k.* from chain c join api_keys k on k.organization_id = c.organization_id and k.id = c.created_by
       where c.step + 1 < ${LIMITS.apiKeys.chainMax}::int)
    select coalesce(to_json(r.permissions), '[]') as permissions, c.workspace_ids, c.expires_at, c.revoked_at, c.created_by, ${ROLE}
      from chain c ${readMemberRole('c')} order by c.step`.execute(tx);
  return rows;
};

/**
 * Returns the current rights of a principal, who may have been admitted with more: a person, or a key with its chain. Needs the whole
 * organization.
 */
export const readStandingNow = async (
  tx: TenantTransaction,
  organizationId: string,
  actor: Pick<EventActor, 'type' | 'id'>,
): Promise<StandingRows> => {
  const keys = actor.type === 'API_KEY' ? await keysNow(tx, organizationId, actor.id) : [];
  const personId = actor.type === 'API_KEY' ? keys.at(-1)?.created_by : actor.id;
  const person = personId === undefined ? undefined : await personNow(tx, organizationId, personId);
  const links = keys.map(({ role: _, created_by: __, ...key }): RightsLink => ({ kind: 'API_KEY', ...key }));
  if (person === undefined) return { links, role: null };
  const { role, ...rights } = person;
  const first = actor.type === 'API_KEY' ? (keys[0]?.role ?? null) : role;
  return { links: [...links, { kind: 'USER', ...rights, expires_at: null, revoked_at: null }], role: first };
};
