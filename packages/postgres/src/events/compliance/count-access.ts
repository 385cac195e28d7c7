import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import type { MeasureCounts } from '@svc/domain/events/compliance/judge-measure.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { hasFactorInOrganization } from '../../people/second-factors/counts-in.ts';
import { readOrganization } from '../../tenancy/organization/organization.ts';
import { daysBefore, lookAtRows, type MeasureScope } from './look-at.ts';

const DECIDES: readonly Permission[] = ['approval:approve', 'approval:deny'];

/** A member who signs in by an enforced and trusted provider proves a factor there; one who may bypass it in an emergency does not. */
export const countFactors = (tx: TenantTransaction, asked: MeasureScope): Promise<MeasureCounts> =>
  lookAtRows(tx, asked, {
    table: 'members',
    applies: sql`true`,
    fulfils: sql`(${hasFactorInOrganization('t.user_id', sql`t.organization_id`)}
      or exists (select from users u
        join sso_domains d on d.organization_id = t.organization_id and d.domain = split_part(u.email, '@', 2) and d.verified_at is not null
        join sso_connections c on c.organization_id = d.organization_id and c.id = d.connection_id
       where u.id = t.user_id and c.status = 'ACTIVE' and c.enforce and c.trusts_mfa and c.break_glass_user_id is distinct from t.user_id))`,
  });

export const countApprovers = (tx: TenantTransaction, asked: MeasureScope): Promise<MeasureCounts> =>
  lookAtRows(tx, asked, {
    table: 'members',
    applies: sql`true`,
    fulfils: sql`exists (select from roles r where r.id = t.role_id and (r.organization_id is null or r.organization_id = t.organization_id)
      and r.permissions @> ${[...DECIDES]}::text[])`,
  });

export const countFactorDuty = async (tx: TenantTransaction, { organizationId }: MeasureScope): Promise<MeasureCounts> => {
  const { require_mfa } = await readOrganization(tx, organizationId);
  return { fulfilled: require_mfa ? 1 : 0, counted: 1, looked_at: 'ALL' };
};

/** A wider network includes half of all addresses, or a quarter, and excludes no one. */
const PREFIX_BITS_MIN = 8;
const isNarrow = (network: string): boolean => Number(network.split('/')[1] ?? 128) >= PREFIX_BITS_MIN;

/** Counts configured networks, unless one of them is so wide that it makes the others void. */
export const countNetworks = async (tx: TenantTransaction, { organizationId }: MeasureScope): Promise<MeasureCounts> => {
  const { allowed_networks } = await readOrganization(tx, organizationId);
  const fulfilled = allowed_networks.every(isNarrow) ? allowed_networks.length : 0;
  return { fulfilled, counted: allowed_networks.length, looked_at: 'ALL' };
};

export const countSignOn = (tx: TenantTransaction, asked: MeasureScope): Promise<MeasureCounts> =>
  lookAtRows(tx, asked, { table: 'sso_connections', applies: sql`t.status = 'ACTIVE'`, fulfils: sql`t.enforce` });

export const countKeysInUse = (tx: TenantTransaction, asked: MeasureScope): Promise<MeasureCounts> =>
  lookAtRows(tx, asked, {
    table: 'api_keys',
    applies: sql`t.revoked_at is null and t.expires_at > ${asked.now}`,
    fulfils: sql`greatest(t.created_at, t.last_used_at) > ${daysBefore(asked, LIMITS.compliance.unusedDays)}`,
  });
