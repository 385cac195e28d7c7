import type { DecisionRecord } from '@svc/enforcement/ports/ports.ts';
import { formatAppendEventsText } from '../audit/append-events.ts';
import { ACTION_COLUMNS } from './decision-fields.ts';
import type { PreparedStatement } from './prepared-connection.ts';

const columns = Object.keys(ACTION_COLUMNS).join(', ');

/** The decisions of a batch as rows; `ordinality` counts them from 1. */
export const SENT = 'unnest($1::recorded_action[]) with ordinality as sent';

/** Excludes decisions on an outdated state. Each row of a state is looked up by itself, for any cached plan. */
const FENCED = `fenced as materialized (
    select sent.* from ${SENT}
    cross join lateral (select from environment_epochs e where e.organization_id = sent.organization_id
      and e.environment_id = sent.environment_id and e.workspace_id = sent.workspace_id and e.epoch = sent.environment_epoch limit 1) as here
    cross join lateral (select from agent_epochs a where a.organization_id = sent.organization_id and a.agent_id = sent.agent_id
      and a.environment_id = sent.environment_id and a.epoch = sent.agent_epoch limit 1) as its)`;

/** Leases of the decisions of a batch, in their order, in ms: what `leases` of the statements below is. */
export const listLeases = (records: readonly DecisionRecord[], afterCallMs: number): string =>
  `{${records.map(({ callTimeoutMs }) => Math.ceil((callTimeoutMs ?? 0) + afterCallMs)).join(',')}}`;

/** Inserts the decisions in `fenced`; one that is executed now is held until its lease ends, by the clock of the database. */
export const insertActions = (leases: string): string =>
  `insert into actions (${columns}, held_until) select ${columns},
    case when status = 'EXECUTING' then now() + interval '1 millisecond' * (${leases}::bigint[])[ordinality] end from fenced`;

/** Throws if the database accepted a decision and did not store it: then nothing of the batch is stored or acknowledged. */
export const allKept = (sent: string, kept: string): string =>
  `all_kept as materialized (select 1 / (case when (${sent}) = (${kept}) then 1 else 0 end) as one)`;

/** Every event of the decisions in `written`, rows of those in `fenced`. */
export const describeRecorded = (written: string): string =>
  `told as (${formatAppendEventsText({
    ...{ action: 'w', event: 'event', at: 'w.created_at' },
    rows: `${written} as w cross join lateral unnest(w.events) as event`,
  })})`;

/** One row, of `ordinality` separated by spaces: written decisions, and those whose idempotency key was used before. */
export type WrittenRow = { readonly recorded: string | null; readonly key_used: string | null };

/** Returns the decisions whose state is still current; each of them was inserted. */
export const RECORD_DECISIONS: PreparedStatement = {
  name: 'record_decisions',
  text: `with ${FENCED}, recorded as (${insertActions('$2')} returning 1), ${describeRecorded('fenced')},
    ${allKept('select count(*) from fenced', 'select count(*) from recorded')}
    select string_agg(ordinality::text, ' ') as recorded, null::text as key_used from fenced, all_kept`,
};

/**
 * The same for decisions of which some have an idempotency key. One whose key was used before, by an action or by the resubmission that
 * used up an approval, is not written. Always in the same order, so that two batches with the same keys never deadlock.
 */
export const RECORD_KEYED_DECISIONS: PreparedStatement = {
  name: 'record_keyed_decisions',
  text: `with ${FENCED}, recorded as (${insertActions('$2')}
     where not exists (select from approvals p where p.organization_id = fenced.organization_id and p.agent_id = fenced.principal_id
             and p.consumed_by_key = fenced.idempotency_key)
     order by ordinality
    on conflict (organization_id, principal_id, idempotency_key) where idempotency_key is not null do nothing
    returning id as recorded_id, idempotency_key as recorded_key
  ), ${describeRecorded('(select fenced.* from fenced join recorded on recorded_id = id)')},
  ${allKept('select count(*) from fenced where idempotency_key is null', 'select count(*) from recorded where recorded_key is null')}
  select string_agg(ordinality::text, ' ') filter (where is_new) as recorded,
      string_agg(ordinality::text, ' ') filter (where not is_new) as key_used
    from (select ordinality, exists (select from recorded where recorded_id = id) as is_new from fenced) as each, all_kept`,
};
