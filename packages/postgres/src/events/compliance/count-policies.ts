import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Effect } from '@svc/contract/tables/vocabulary.ts';
import type { MeasureCounts } from '@svc/domain/events/compliance/judge-measure.ts';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { lookAtRows, type MeasureScope, together } from './look-at.ts';

const IS_BOUND = sql`exists (select from policy_bindings b where b.organization_id = t.organization_id and b.policy_id = t.policy_id)`;
const HAS_POLICY = sql`exists (select from policies p where p.organization_id = t.organization_id and p.id = t.policy_id and p.deleted_at is null)`;
/** A version that binds somewhere. */
const IN_FORCE = sql`${IS_BOUND} and ${HAS_POLICY}`;

export const countEnforcing = (tx: TenantTransaction, asked: MeasureScope): Promise<MeasureCounts> =>
  lookAtRows(tx, asked, {
    table: 'environments',
    applies: sql`t.type = 'PRODUCTION' and t.archived_at is null`,
    fulfils: sql`t.mode = 'ENFORCE'`,
  });

/** An identifier contains its kind, so one set of targets serves every scope, however many bindings there are. */
export const countGoverned = (tx: TenantTransaction, asked: MeasureScope): Promise<MeasureCounts> =>
  lookAtRows(tx, asked, {
    table: 'agents',
    applies: sql`t.status = 'ACTIVE'`,
    fulfils: sql`exists (select from unnest(array[t.organization_id, t.workspace_id, t.environment_id, t.id]) as place where place in (
      select b.target_id from policy_bindings b join policy_versions v on v.organization_id = b.organization_id and v.policy_id = b.policy_id
       where b.organization_id = ${asked.organizationId} and v.status = 'ACTIVE'))`,
  });

const countVersions = (tx: TenantTransaction, asked: MeasureScope, fulfils: RawBuilder<unknown>): Promise<MeasureCounts> =>
  lookAtRows(tx, asked, { table: 'policy_versions', within: sql`status = 'ACTIVE'`, applies: IN_FORCE, fulfils });

const withEffect = (effect: Effect): RawBuilder<unknown> =>
  sql`exists (select from json_array_elements(t.rules) r where r ->> 'effect' = ${effect})`;

export const countTested = (tx: TenantTransaction, asked: MeasureScope): Promise<MeasureCounts> =>
  countVersions(tx, asked, sql`json_array_length(t.tests) > 0`);

export const countMasks = (tx: TenantTransaction, asked: MeasureScope): Promise<MeasureCounts> =>
  countVersions(tx, asked, withEffect('MASK'));

export const countLimits = async (tx: TenantTransaction, asked: MeasureScope): Promise<MeasureCounts> => {
  const ceilings = lookAtRows(tx, asked, {
    table: 'delegations',
    applies: sql`t.status = 'ACTIVE' and t.parent_id is null and (t.expires_at is null or t.expires_at > ${asked.now})`,
    fulfils: sql`(t.max_amount is not null or t.max_calls is not null)`,
  });
  return together([await countVersions(tx, asked, withEffect('LIMIT')), await ceilings]);
};

export const countInvariants = (tx: TenantTransaction, asked: MeasureScope): Promise<MeasureCounts> =>
  lookAtRows(tx, asked, { table: 'policy_invariants', applies: sql`true`, fulfils: sql`true`, max: LIMITS.policies.invariantsMax + 1 });
