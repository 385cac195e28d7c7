import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { MeasureCounts } from '@svc/domain/events/compliance/judge-measure.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { firstIdAt } from '../../lists/made-between.ts';
import { daysBefore, lookAtRows, type MeasureScope, together } from './look-at.ts';

const { unusedDays, keyDays } = LIMITS.compliance;
const ACTIVE = sql`t.status = 'ACTIVE'`;

export const countPassports = (tx: TenantTransaction, asked: MeasureScope): Promise<MeasureCounts> =>
  lookAtRows(tx, asked, {
    table: 'agents',
    applies: ACTIVE,
    fulfils: sql`exists (select from passports p where p.organization_id = t.organization_id and p.agent_id = t.id
      and p.version = t.passport_version and p.expires_at > ${asked.now})`,
  });

export const countAgentKeys = (tx: TenantTransaction, asked: MeasureScope): Promise<MeasureCounts> =>
  lookAtRows(tx, asked, {
    table: 'agents',
    applies: ACTIVE,
    fulfils: sql`exists (select from agent_keys k where k.organization_id = t.organization_id and k.agent_id = t.id
      and k.generation = t.key_generation and k.created_at > ${daysBefore(asked, keyDays)})`,
  });

export const countAgentsInUse = (tx: TenantTransaction, asked: MeasureScope): Promise<MeasureCounts> => {
  const since = daysBefore(asked, unusedDays);
  return lookAtRows(tx, asked, {
    table: 'agents',
    applies: ACTIVE,
    fulfils: sql`(t.created_at > ${since} or exists (select from actions a where a.organization_id = t.organization_id and a.agent_id = t.id
      and a.id >= ${firstIdAt('act', since.getTime())}))`,
  });
};

export const countDelegations = (tx: TenantTransaction, asked: MeasureScope): Promise<MeasureCounts> =>
  lookAtRows(tx, asked, {
    table: 'delegations',
    applies: sql`t.status = 'ACTIVE' and (t.expires_at is null or t.expires_at > ${asked.now})`,
    fulfils: sql`t.expires_at is not null`,
  });

export const countTools = (tx: TenantTransaction, asked: MeasureScope): Promise<MeasureCounts> =>
  lookAtRows(tx, asked, {
    table: 'tools',
    applies: ACTIVE,
    fulfils: sql`'false' in (t.parameters_schema ->> 'additionalProperties', t.parameters_schema ->> 'unevaluatedProperties')`,
  });

export const countDestinations = (tx: TenantTransaction, asked: MeasureScope): Promise<MeasureCounts> =>
  lookAtRows(tx, asked, {
    table: 'tools',
    applies: sql`t.status = 'ACTIVE' and t.kind = 'HTTP'`,
    fulfils: sql`cardinality(t.destination_allowlist) > 0 and not exists (select from unnest(t.destination_allowlist) d where d like '*%')`,
  });

export const countDescribed = async (tx: TenantTransaction, asked: MeasureScope): Promise<MeasureCounts> => {
  const look = { applies: ACTIVE, fulfils: sql`t.description ~ '\\S'` };
  return together([await lookAtRows(tx, asked, { table: 'agents', ...look }), await lookAtRows(tx, asked, { table: 'tools', ...look })]);
};
