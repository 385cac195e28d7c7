import type { EventType } from '@svc/contract/tables/events.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { MeasureCounts } from '@svc/domain/events/compliance/judge-measure.ts';
import { type ReportedVerification, verifiedLeaves } from '@svc/domain/events/compliance/verified-leaves.ts';
import { sql } from 'kysely';
import { findTree } from '../../audit/log/read-log.ts';
import { readSequences } from '../../audit/log/sequences.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { firstIdAt } from '../../lists/made-between.ts';
import { lookAtPeriod, type MeasureScope, rowsOfPeriod } from './look-at.ts';

const { keptDays, leavesPerStretchMax, rowsMax, sealedWithinSeconds } = LIMITS.compliance;

/** Tolerance between two synchronized clocks, and between a request and its record. */
const APART_MS = 60_000;
const WITHIN_MS = 600_000;

const DECISIONS = [
  ...(['action.allowed', 'action.approval_required', 'action.blocked', 'action.limited', 'action.masked', 'action.observed'] as const),
  'action.simulated',
] as const satisfies readonly EventType[];

/** The decision event is written with the action, so it is only searched in the months of the period. */
export const countRecordedActions = (tx: TenantTransaction, asked: MeasureScope): Promise<MeasureCounts> => {
  const [from, to] = [firstIdAt('evt', asked.from.getTime() - APART_MS), firstIdAt('evt', asked.to.getTime() + WITHIN_MS)];
  return lookAtPeriod(tx, asked, {
    table: 'actions',
    prefix: 'act',
    applies: sql`true`,
    fulfils: sql`exists (select from audit_events e where e.organization_id = t.organization_id and e.subject_id = t.id
      and e.id >= ${from} and e.id < ${to} and e.type = any (${[...DECISIONS]}::text[]))`,
  });
};

/** A log that is held vouches for nothing that was sealed before. */
export const countSealed = async (tx: TenantTransaction, asked: MeasureScope): Promise<MeasureCounts> => {
  const to = new Date(Math.min(asked.to.getTime(), asked.now.getTime() - sealedWithinSeconds * 1_000));
  const events = rowsOfPeriod({ ...asked, to }, { table: 'audit_events', prefix: 'evt', max: leavesPerStretchMax });
  const { rows } = await sql<{ id: string; in_stretch: number }>`select t.id, t.in_stretch from ${events}`.execute(tx);
  const ids = rows.map(({ id }) => id);
  const [sealed, tree] = [await readSequences(tx, asked.organizationId, ids), await findTree(tx, asked.organizationId)];
  const isSample = rows.some(({ in_stretch }) => in_stretch >= leavesPerStretchMax);
  const fulfilled = tree === undefined || tree.held_since !== null ? 0 : sealed.size;
  return { fulfilled, counted: ids.length, looked_at: isSample ? 'SAMPLE' : 'ALL' };
};

/** The retention of the record in days. */
export const countDaysKept = async (tx: TenantTransaction, { organizationId, now }: MeasureScope): Promise<MeasureCounts> => {
  const { rows } = await sql<{ days: number }>`
    select floor(extract(epoch from ${now}::timestamptz - occurred_at) / 86400)::int as days from audit_events
     where organization_id = ${organizationId} order by id limit 1`.execute(tx);
  return { fulfilled: Math.max(0, Math.min(keptDays, rows[0]?.days ?? 0)), counted: keptDays, looked_at: 'ALL' };
};

/** The verifications of the period come first; if they are incomplete, the log does not count as verified. */
export const countVerified = async (tx: TenantTransaction, { organizationId, from, to }: MeasureScope): Promise<MeasureCounts> => {
  const told: EventType = 'audit.integrity_verified';
  const { rows } = await sql<{ data: ReportedVerification | null; looked: number }>`
    select case when type = ${told} then data end as data, count(*) over ()::int as looked
      from (select type, data, id from audit_events where organization_id = ${organizationId} and subject_id = ${organizationId}
             and id >= ${firstIdAt('evt', from.getTime())} and id < ${firstIdAt('evt', to.getTime())} order by id desc limit ${rowsMax}) as about_it
     order by id desc`.execute(tx);
  const counts = verifiedLeaves(rows.flatMap(({ data }) => data ?? []));
  return (rows[0]?.looked ?? 0) < rowsMax ? counts : { ...counts, looked_at: 'NEWEST' };
};
