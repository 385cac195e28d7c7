import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { RightsLink } from '@svc/domain/people/auth/effective-rights.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { memberRights, readMemberRole } from '../../people/auth/member-rights.ts';

/** A person or an API key of an organization. */
export type Voucher = { readonly organization_id: string; readonly id: string };

type Rights = Pick<RightsLink, 'permissions' | 'workspace_ids'>;
type KeyRow = Rights & {
  readonly n: number;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly maker: Rights | null;
};

const askFor = (vouchers: readonly Voucher[]) => sql`
  unnest(${vouchers.map(({ organization_id }) => organization_id)}::text[], ${vouchers.map(({ id }) => id)}::text[])
  with ordinality as q (organization_id, id, n)`;

const readPeople = async (identity: Database | TenantTransaction, vouchers: readonly Voucher[]): Promise<(Rights & { n: number })[]> => {
  const { rows } = await sql<Rights & { n: number }>`
    select q.n::integer as n, ${memberRights} from ${askFor(vouchers)}
      join members m on m.organization_id = q.organization_id and m.user_id = q.id
      ${readMemberRole('m')}`.execute(identity);
  return rows;
};

const readKeys = async (identity: Database | TenantTransaction, vouchers: readonly Voucher[]): Promise<KeyRow[]> => {
  const { rows } = await sql<KeyRow>`
    with recursive chain as (
      select q.n, 0 as step, k.* from ${askFor(vouchers)} join api_keys k on k.organization_id = q.organization_id and k.id = q.id
       union all
      select c.n, c.step + 1, k.* from chain c join api_keys k on k.organization_id = c.organization_id and k.id = c.created_by
       where c.step + 1 < ${LIMITS.apiKeys.chainMax}::integer)
    select c.n::integer as n, coalesce(to_json(r.permissions), '[]') as permissions, c.workspace_ids, c.expires_at, c.revoked_at, p.maker
      from chain c ${readMemberRole('c')}
      left join lateral (select json_build_object('permissions', x.permissions, 'workspace_ids', x.workspace_ids) as maker
        from (select ${memberRights} from members m ${readMemberRole('m')} where m.organization_id = c.organization_id and m.user_id = c.created_by) x) p on true
     order by c.n, c.step`.execute(identity);
  return rows;
};

/**
 * Returns the current rights of each, as links of the chain up to a person, in the given order. A former member, and a missing
 * key, has no links; see `effectiveRights`.
 */
export const readVouchers = async (
  identity: Database | TenantTransaction,
  vouchers: readonly Voucher[],
): Promise<readonly (readonly RightsLink[])[]> => {
  const links: RightsLink[][] = vouchers.map(() => []);
  if (vouchers.length === 0) return links;
  const [people, keys] = await Promise.all([readPeople(identity, vouchers), readKeys(identity, vouchers)]);
  for (const { n, ...rights } of people) links[n - 1]?.push({ kind: 'USER', ...rights, expires_at: null, revoked_at: null });
  for (const { n, maker, ...key } of keys) {
    links[n - 1]?.push({ kind: 'API_KEY', ...key });
    if (maker) links[n - 1]?.push({ kind: 'USER', ...maker, expires_at: null, revoked_at: null });
  }
  return links;
};
