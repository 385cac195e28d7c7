import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Proof, SECOND_FACTORS } from '@svc/contract/tables/proofs.ts';
import type { RightsLink } from '@svc/domain/people/auth/effective-rights.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import { hasFactorInOrganization } from '../second-factors/counts-in.ts';
import { memberRights, readMemberRole } from './member-rights.ts';
import { SESSION_ENDED_AT } from './session-end.ts';

export type CallerRow = {
  readonly kind: 'USER' | 'API_KEY';
  readonly credential_id: string;
  readonly principal_id: string;
  readonly principal_name: string;
  readonly email: string | null;
  readonly organization_id: string;
  readonly organization_name: string;
  /** The end of the organization; null unless its deletion was requested. */
  readonly organization_deletes_at: string | null;
  /** Sets of networks, each of which has to admit the address of the caller; an empty one admits any. */
  readonly networks: readonly (readonly string[])[];
  readonly role_id: string;
  /** True if an API key may have the role at all. */
  readonly for_keys: boolean;
  readonly expires_at: string;
  readonly last_used_at: string | null;
  /** The end of the shown secret, if it is the one before a rotation; null for the present one, and for a session. */
  readonly secret_ends_at: string | null;
  /** Null for a key. */
  readonly opened_at: string | null;
  readonly revoked_at: string | null;
  readonly stepped_up_until: string | null;
  /** The proofs of a session (RFC 8176); none for a key. */
  readonly amr: readonly Proof[];
  /** Those of them that count in this organization only, because its provider vouched for them. */
  readonly vouched_amr: readonly Proof[];
  /** True if the organization requires a second factor of its people. */
  readonly require_mfa: boolean;
  /** The first session of the sign-in that a session belongs to; null for a key. */
  readonly sign_in_id: string | null;
  /** The epoch of a session's person; null for a key. */
  readonly person_epoch: number | null;
  /** For a terminal's session: the sign-in that approved it; null for every other credential. */
  readonly approved_by_sign_in_id: string | null;
  /** Emergency access in force in this session, until a time; null for a key. */
  readonly break_glass: { readonly id: string; readonly expires_at: string } | null;
  /** The credential itself, its creator, and so on up to a person, with the current rights of each. */
  readonly links: readonly RightsLink[];
};

/** The `n`-th of the requested ones. */
export type FoundCredential = { readonly n: number; readonly row: CallerRow };

type Rights = Pick<RightsLink, 'permissions' | 'workspace_ids'>;
type OrganizationRow = { readonly organization_networks: readonly string[] };
type SessionRow = Omit<CallerRow, 'kind' | 'links' | 'networks' | 'secret_ends_at'> & OrganizationRow & Rights & { readonly n: number };

/** A step-up of a person with a second factor counts if the session has one: what a password alone proved before is void. */
const STEPPED_UP = sql`case when s.stepped_up_until is null or s.amr && ${SECOND_FACTORS}::text[]
             or not ${hasFactorInOrganization('s.user_id', sql`s.organization_id`)} then s.stepped_up_until end`;

/** The name, end and allowed networks of the organization `o`. */
const organizationOf = sql.raw(
  'o.name as organization_name, o.deletes_at as organization_deletes_at, o.allowed_networks as organization_networks',
);

/**
 * Returns the people of session tokens by hash. A former member has none, and neither has one who rejoined with an earlier
 * session, or with one of another epoch of the person or of the member.
 */
export const readSessions = async (identity: Database, tokenHashes: readonly Buffer[]): Promise<FoundCredential[]> => {
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
      ${readMemberRole('m')}`.execute(identity);
  return rows.map(({ n, permissions, workspace_ids, organization_networks, ...row }) => {
    const link: RightsLink = { kind: 'USER', permissions, workspace_ids, expires_at: null, revoked_at: null };
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
 * Returns keys, each followed by the keys in its chain, up to the maximum length; a longer chain does not end in a person, and is invalid.
 * The last row of a chain has the rights of the person who created it, if still a member. A key is found by its previous secret during a
 * rotation too.
 */
export const readApiKeys = async (identity: Database, tokenHashes: readonly Buffer[]): Promise<FoundCredential[]> => {
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
      ${readMemberRole('c')}
      left join lateral (select json_build_object('permissions', x.permissions, 'workspace_ids', x.workspace_ids) as maker
        from (select ${memberRights} from members m ${readMemberRole('m')} where m.organization_id = c.organization_id and m.user_id = c.created_by) x) p on true
     order by c.n, c.step`.execute(identity);
  const found = new Map<number, CallerRow & { networks: (readonly string[])[]; links: RightsLink[] }>();
  for (const { n, permissions, workspace_ids, maker, organization_networks, allowed_networks, ...key } of rows) {
    const { expires_at, revoked_at } = key;
    const row = found.get(n) ?? { ...key, ...NO_SESSION, kind: 'API_KEY', networks: [organization_networks], links: [] };
    // A key created with another may not be used from a network that the other one excludes.
    if (allowed_networks.length > 0) row.networks.push(allowed_networks);
    row.links.push({ kind: 'API_KEY', permissions, workspace_ids, expires_at, revoked_at });
    if (maker) row.links.push({ kind: 'USER', ...maker, expires_at: null, revoked_at: null });
    found.set(n, row);
  }
  return [...found].map(([n, row]) => ({ n, row }));
};
