import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Proof } from '@svc/contract/tables/proofs.ts';
import type { Link } from '@svc/domain/people/auth/effective-rights.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import { memberRights, roleOf } from './member-rights.ts';

export type CallerRow = {
  readonly kind: 'USER' | 'API_KEY';
  readonly credential_id: string;
  readonly principal_id: string;
  readonly principal_name: string;
  readonly email: string | null;
  readonly organization_id: string;
  readonly organization_name: string;
  readonly role_id: string;
  /** Whether an API key may have the role at all. */
  readonly for_keys: boolean;
  readonly expires_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  readonly stepped_up_until: string | null;
  /** The proofs a session rests on; none for a key. */
  readonly amr: readonly Proof[];
  /** Whether the organization requires a second factor of its people. */
  readonly require_mfa: boolean;
  /** The first session of the sign-in that a session belongs to; null for a key. */
  readonly sign_in_id: string | null;
  /** Of a terminal's session: the sign-in that approved it; null for every other credential. */
  readonly approved_by_sign_in_id: string | null;
  /** The credential itself, whoever it was made by, and so on up to a person: what each of them may do now. */
  readonly links: readonly Link[];
};

/** The `n`-th of those asked for. */
export type Found = { readonly n: number; readonly row: CallerRow };

type Rights = Pick<Link, 'permissions' | 'workspace_ids'>;
/** A session that a single sign-on connection opened ends with it: from the beginning, once the connection is not active. */
const endedWithConnection = sql.raw(`(select s.created_at from sso_sessions x
  left join sso_connections c on c.organization_id = x.organization_id and c.id = x.connection_id and c.status = 'ACTIVE'
  where x.organization_id = s.organization_id and x.session_id in (coalesce(s.sign_in_id, s.id), s.approved_by_sign_in_id)
    and c.id is null limit 1)`);

type SessionRow = Omit<CallerRow, 'kind' | 'links'> & Rights & { readonly n: number };

/** The people behind the hashes of session tokens; a person who left the organization has none. */
export const readSessions = async (identity: Database, tokenHashes: readonly Buffer[]): Promise<Found[]> => {
  const { rows } = await sql<SessionRow>`
    select q.n::int as n, s.id as credential_id, u.id as principal_id, u.name as principal_name, u.email, s.organization_id,
           o.name as organization_name, m.role_id, coalesce(r.for_keys, true) as for_keys, ${memberRights}, s.expires_at, s.last_used_at,
           coalesce(s.revoked_at, (select min(e.ended_at) from ended_sign_ins e
             where e.sign_in_id in (coalesce(s.sign_in_id, s.id), s.approved_by_sign_in_id)
               and (e.with_terminals or e.sign_in_id = coalesce(s.sign_in_id, s.id))),
             ${endedWithConnection}) as revoked_at,
           s.stepped_up_until, s.amr, o.require_mfa, coalesce(s.sign_in_id, s.id) as sign_in_id, s.approved_by_sign_in_id
      from unnest(${tokenHashes}::bytea[]) with ordinality as q (token_hash, n)
      join sessions s on s.token_hash = q.token_hash
      join users u on u.id = s.user_id
      join members m on m.organization_id = s.organization_id and m.user_id = s.user_id
      join organizations o on o.id = s.organization_id
      ${roleOf('m')}`.execute(identity);
  return rows.map(({ n, permissions, workspace_ids, ...row }) => {
    const link: Link = { kind: 'USER', permissions, workspace_ids, expires_at: null, revoked_at: null };
    return { n, row: { ...row, kind: 'USER', links: [link] } };
  });
};

/** What only a session has. */
const NO_PERSON = { email: null, stepped_up_until: null, amr: [], sign_in_id: null, approved_by_sign_in_id: null } as const;

type KeyRow = Omit<CallerRow, 'kind' | 'links' | keyof typeof NO_PERSON> & {
  readonly n: number;
  readonly maker: Rights | null;
} & Rights;

/**
 * Keys, each followed by the keys it was made with, as far as a chain may be long; a longer one so ends at no person, and is none.
 * A row of the last of them has the rights of the person who made it, who is a member still.
 */
export const readApiKeys = async (identity: Database, tokenHashes: readonly Buffer[]): Promise<Found[]> => {
  const { rows } = await sql<KeyRow>`
    with recursive chain as (
      select q.n::int as n, 0 as step, k.* from unnest(${tokenHashes}::bytea[]) with ordinality as q (token_hash, n)
        join api_keys k on k.token_hash = q.token_hash
       union all
      select c.n, c.step + 1, k.* from chain c join api_keys k on k.organization_id = c.organization_id and k.id = c.created_by
       where c.step + 1 < ${LIMITS.apiKeys.chainMax}::int)
    select c.n, c.id as credential_id, c.id as principal_id, c.name as principal_name, c.organization_id, o.name as organization_name,
           c.role_id, coalesce(r.for_keys, true) as for_keys, coalesce(to_json(r.permissions), '[]') as permissions, c.workspace_ids,
           c.expires_at, c.last_used_at, c.revoked_at, o.require_mfa, p.maker
      from chain c
      join organizations o on o.id = c.organization_id
      ${roleOf('c')}
      left join lateral (select json_build_object('permissions', x.permissions, 'workspace_ids', x.workspace_ids) as maker
        from (select ${memberRights} from members m ${roleOf('m')} where m.organization_id = c.organization_id and m.user_id = c.created_by) x) p on true
     order by c.n, c.step`.execute(identity);
  const found = new Map<number, CallerRow & { links: Link[] }>();
  for (const { n, permissions, workspace_ids, maker, ...key } of rows) {
    const { expires_at, revoked_at } = key;
    const row = found.get(n) ?? { ...key, kind: 'API_KEY', ...NO_PERSON, links: [] };
    row.links.push({ kind: 'API_KEY', permissions, workspace_ids, expires_at, revoked_at });
    if (maker) row.links.push({ kind: 'USER', ...maker, expires_at: null, revoked_at: null });
    found.set(n, row);
  }
  return [...found].map(([n, row]) => ({ n, row }));
};
