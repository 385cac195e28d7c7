import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Proof, SECOND_FACTORS } from '@svc/contract/tables/proofs.ts';
import type { Link } from '@svc/domain/people/auth/effective-rights.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import { hasFactorIn } from '../second-factors/counts-in.ts';
import { memberRights, roleOf } from './member-rights.ts';
import { SESSION_ENDED_AT } from './session-end.ts';

export type CallerRow = {
  readonly kind: 'USER' | 'API_KEY';
  readonly credential_id: string;
  readonly principal_id: string;
  readonly principal_name: string;
  readonly email: string | null;
  readonly organization_id: string;
  readonly organization_name: string;
  /** From when on the organization is no more; null while nobody has asked for its deletion. */
  readonly organization_deletes_at: string | null;
  /** Sets of networks, each of which has to admit the address of the caller; an empty one admits any. */
  readonly networks: readonly (readonly string[])[];
  readonly role_id: string;
  /** Whether an API key may have the role at all. */
  readonly for_keys: boolean;
  readonly expires_at: string;
  readonly last_used_at: string | null;
  /** Of the secret that was shown, where it is the one before a rotation; null for the present one, and for a session. */
  readonly secret_ends_at: string | null;
  /** Null for a key. */
  readonly opened_at: string | null;
  readonly revoked_at: string | null;
  readonly stepped_up_until: string | null;
  /** The proofs a session rests on; none for a key. */
  readonly amr: readonly Proof[];
  /** Those of them that count in this organization only, because its provider vouched for them. */
  readonly vouched_amr: readonly Proof[];
  /** Whether the organization requires a second factor of its people. */
  readonly require_mfa: boolean;
  /** The first session of the sign-in that a session belongs to; null for a key. */
  readonly sign_in_id: string | null;
  /** What a session rests on of its person; null for a key. */
  readonly person_epoch: number | null;
  /** Of a terminal's session: the sign-in that approved it; null for every other credential. */
  readonly approved_by_sign_in_id: string | null;
  /** Emergency access in force in this session, until a time; null for a key. */
  readonly break_glass: { readonly id: string; readonly expires_at: string } | null;
  /** The credential itself, whoever it was made by, and so on up to a person: what each of them may do now. */
  readonly links: readonly Link[];
};

/** The `n`-th of those asked for. */
export type Found = { readonly n: number; readonly row: CallerRow };

type Rights = Pick<Link, 'permissions' | 'workspace_ids'>;
type OrganizationRow = { readonly organization_networks: readonly string[] };
type SessionRow = Omit<CallerRow, 'kind' | 'links' | 'networks' | 'secret_ends_at'> & OrganizationRow & Rights & { readonly n: number };

/** A step-up of whoever enrolled a second factor counts where the session rests on one: what a password alone proved before has ended with it. */
const STEPPED_UP = sql`case when s.stepped_up_until is null or s.amr && ${SECOND_FACTORS}::text[]
             or not ${hasFactorIn('s.user_id', sql`s.organization_id`)} then s.stepped_up_until end`;

/** Of the organization `o`: what it is called, when it ends, and from where it may be reached. */
const organizationOf = sql.raw(
  'o.name as organization_name, o.deletes_at as organization_deletes_at, o.allowed_networks as organization_networks',
);

/**
 * The people behind the hashes of session tokens. A person who left the organization has none, nor has whoever came back to it by a session
 * from before, or one that was opened under another epoch of the person or of the member.
 */
export const readSessions = async (identity: Database, tokenHashes: readonly Buffer[]): Promise<Found[]> => {
  const { rows } = await sql<SessionRow>`
    select q.n::int as n, s.id as credential_id, u.id as principal_id, u.name as principal_name, u.email, s.organization_id,
           ${organizationOf}, m.role_id, coalesce(r.for_keys, true) as for_keys, ${memberRights}, s.expires_at, s.last_used_at,
           s.created_at as opened_at,
           ${SESSION_ENDED_AT} as revoked_at,
           ${STEPPED_UP} as stepped_up_until, s.amr, s.vouched_amr, o.require_mfa, coalesce(s.sign_in_id, s.id) as sign_in_id, s.approved_by_sign_in_id,
           u.session_epoch as person_epoch,
           (select json_build_object('id', g.id, 'expires_at', g.expires_at) from break_glass_grants g
             where g.session_id = s.id and g.organization_id = s.organization_id and g.user_id = s.user_id and g.status = 'ACTIVE' limit 1) as break_glass
      from unnest(${tokenHashes}::bytea[]) with ordinality as q (token_hash, n)
      join sessions s on s.token_hash = q.token_hash
      join users u on u.id = s.user_id
      join members m on m.organization_id = s.organization_id and m.user_id = s.user_id
       and s.epoch = u.session_epoch + m.session_epoch and s.created_at >= m.created_at
      join organizations o on o.id = s.organization_id
      ${roleOf('m')}`.execute(identity);
  return rows.map(({ n, permissions, workspace_ids, organization_networks, ...row }) => {
    const link: Link = { kind: 'USER', permissions, workspace_ids, expires_at: null, revoked_at: null };
    return { n, row: { ...row, secret_ends_at: null, kind: 'USER', networks: [organization_networks], links: [link] } };
  });
};

const NO_SESSION = {
  email: null,
  break_glass: null,
  stepped_up_until: null,
  amr: [],
  vouched_amr: [],
  sign_in_id: null,
  person_epoch: null,
  approved_by_sign_in_id: null,
  opened_at: null,
} satisfies Partial<CallerRow>;

type KeyRow = Omit<CallerRow, 'kind' | 'links' | 'networks' | keyof typeof NO_SESSION> & {
  readonly n: number;
  readonly maker: Rights | null;
  readonly allowed_networks: readonly string[];
} & OrganizationRow &
  Rights;

/**
 * Keys, each followed by the keys it was made with, as far as a chain may be long; a longer one so ends at no person, and is none.
 * A row of the last of them has the rights of the person who made it, who is a member still. A key is found by the secret before its latest
 * rotation too.
 */
export const readApiKeys = async (identity: Database, tokenHashes: readonly Buffer[]): Promise<Found[]> => {
  const { rows } = await sql<KeyRow>`
    with recursive chain as (
      select q.n::int as n, 0 as step, k.* from unnest(${tokenHashes}::bytea[]) with ordinality as q (token_hash, n)
        join lateral (select null::timestamptz as secret_ends_at, a.* from api_keys a where a.token_hash = q.token_hash
                       union all
                      select b.previous_ends_at, b.* from api_keys b where b.previous_token_hash = q.token_hash) k on true
       union all
      select c.n, c.step + 1, null::timestamptz, k.* from chain c join api_keys k on k.organization_id = c.organization_id and k.id = c.created_by
       where c.step + 1 < ${LIMITS.apiKeys.chainMax}::int)
    select c.n, c.id as credential_id, c.id as principal_id, c.name as principal_name, c.organization_id, ${organizationOf},
           c.role_id, coalesce(r.for_keys, true) as for_keys, coalesce(to_json(r.permissions), '[]') as permissions, c.workspace_ids,
           c.expires_at, c.last_used_at, c.secret_ends_at, c.revoked_at, c.allowed_networks, o.require_mfa, p.maker
      from chain c
      join organizations o on o.id = c.organization_id
      ${roleOf('c')}
      left join lateral (select json_build_object('permissions', x.permissions, 'workspace_ids', x.workspace_ids) as maker
        from (select ${memberRights} from members m ${roleOf('m')} where m.organization_id = c.organization_id and m.user_id = c.created_by) x) p on true
     order by c.n, c.step`.execute(identity);
  const found = new Map<number, CallerRow & { networks: (readonly string[])[]; links: Link[] }>();
  for (const { n, permissions, workspace_ids, maker, organization_networks, allowed_networks, ...key } of rows) {
    const { expires_at, revoked_at } = key;
    const row = found.get(n) ?? { ...key, ...NO_SESSION, kind: 'API_KEY', networks: [organization_networks], links: [] };
    // A key that was made with another is used from no network that the other one is kept from.
    if (allowed_networks.length > 0) row.networks.push(allowed_networks);
    row.links.push({ kind: 'API_KEY', permissions, workspace_ids, expires_at, revoked_at });
    if (maker) row.links.push({ kind: 'USER', ...maker, expires_at: null, revoked_at: null });
    found.set(n, row);
  }
  return [...found].map(([n, row]) => ({ n, row }));
};
