import type { EventType } from '@svc/contract/tables/events.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Counts } from '@svc/domain/events/compliance/judge-measure.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { firstIdAt } from '../../lists/made-between.ts';
import { lookAtPeriod, lookAtRows, type MeasureScope, together } from './look-at.ts';

const { eventsPerSubjectMax, subjectsMax } = LIMITS.compliance;
const STOPS: readonly EventType[] = ['agent.paused', 'agent.suspended', 'agent.isolated', 'environment.paused'];

/** An observed action was permitted too, with any decision. */
const LET_THROUGH = sql`t.status in ('ALLOWED', 'EXECUTING', 'COMPLETED', 'FAILED', 'UNKNOWN', 'OBSERVED')`;

/** In an environment in OBSERVE mode, an action continues, even without its approval. */
const OF_ITS_APPROVAL = sql`(t.mode <> 'OBSERVE' or t.id in (p.action_id, p.used_by_action_id))`;

export const countRiskyApproved = (tx: TenantTransaction, asked: MeasureScope): Promise<Counts> =>
  lookAtPeriod(tx, asked, {
    table: 'actions',
    prefix: 'act',
    applies: sql`${LET_THROUGH} and exists (select from tools k where k.organization_id = t.organization_id and k.id = t.tool_id
      and (k.dangerous or k.risk_rating in ('HIGH', 'CRITICAL')))`,
    fulfils: sql`exists (select from approvals p where p.organization_id = t.organization_id and p.id = t.approval_id
      and (p.status in ('APPROVED', 'CONSUMED') or p.restored_at is not null) and ${OF_ITS_APPROVAL})`,
  });

/** An approved one that was not used in time counts as decided. */
export const countDecidedApprovals = (tx: TenantTransaction, asked: MeasureScope): Promise<Counts> =>
  lookAtPeriod(tx, asked, {
    table: 'approvals',
    prefix: 'apr',
    applies: sql`t.status in ('APPROVED', 'DENIED', 'CONSUMED', 'EXPIRED')`,
    fulfils: sql`(t.status <> 'EXPIRED' or t.approved_by is not null)`,
  });

export const countOutcomes = (tx: TenantTransaction, asked: MeasureScope): Promise<Counts> =>
  lookAtPeriod(tx, asked, {
    table: 'actions',
    prefix: 'act',
    applies: sql`t.status in ('COMPLETED', 'FAILED', 'UNKNOWN')`,
    fulfils: sql`t.status <> 'UNKNOWN'`,
  });

/** Counts stops by people among the newest agents and environments; the record is read for each, by its subject index. */
export const countStops = async (tx: TenantTransaction, asked: MeasureScope): Promise<Counts> => {
  const [from, to] = [firstIdAt('evt', asked.from.getTime()), firstIdAt('evt', asked.to.getTime())];
  const look = {
    applies: sql`true`,
    fulfils: sql`exists (select from (select e.type, e.actor_type from audit_events e where e.organization_id = t.organization_id
        and e.subject_id = t.id and e.id >= ${from} and e.id < ${to} order by e.id desc limit ${eventsPerSubjectMax}) as told
      where told.actor_type = 'USER' and told.type = any (${[...STOPS]}::text[]))`,
    max: subjectsMax,
  };
  return together([
    await lookAtRows(tx, asked, { table: 'agents', ...look }),
    await lookAtRows(tx, asked, { table: 'environments', ...look }),
  ]);
};

/** A test delivery is no event. */
export const countReceivers = (tx: TenantTransaction, asked: MeasureScope): Promise<Counts> => {
  const [from, to] = [firstIdAt('dlv', asked.from.getTime()), firstIdAt('dlv', asked.to.getTime())];
  return lookAtRows(tx, asked, {
    table: 'webhook_subscriptions',
    applies: sql`t.status = 'ACTIVE'`,
    fulfils: sql`(t.failing_since is null and exists (select from (select d.state, d.is_test from webhook_deliveries d
        where d.organization_id = t.organization_id and d.subscription_id = t.id and d.id >= ${from} and d.id < ${to}
        order by d.id desc limit ${eventsPerSubjectMax}) as sent
      where sent.state = 'DELIVERED' and not sent.is_test))`,
  });
};
