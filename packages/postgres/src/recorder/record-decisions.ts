import { ACTION_COLUMNS, EVENT_COLUMNS } from './decision-columns.ts';
import type { PreparedStatement } from './prepared-connection.ts';
import { elementOf } from './sent-columns.ts';

const columns = Object.keys(ACTION_COLUMNS);
const element = elementOf(ACTION_COLUMNS, 1);
const ofAction = (name: string): string => element(name, 'n');
const firstOfEvents = columns.length + 1;
const elementOfEvent = elementOf(EVENT_COLUMNS, firstOfEvents);
const ofEvent = (name: string): string => elementOfEvent(name, 'k');

/** How many parameters carry the decisions and their events; a statement's own come after them. */
export const RECORDED_COLUMNS = columns.length + Object.keys(EVENT_COLUMNS).length;

/** What was made on a state that has moved since is not in it. `n` is where in the arrays a decision stands. */
const FENCED = `fenced as materialized (
    select id, n from unnest($1::text[]) with ordinality as sent (id, n)
    join environment_epochs e on e.organization_id = ${ofAction('organization_id')} and e.environment_id = ${ofAction('environment_id')}
      and e.workspace_id = ${ofAction('workspace_id')} and e.epoch = ${ofAction('environment_epoch')}
    join agent_epochs a on a.organization_id = ${ofAction('organization_id')} and a.agent_id = ${ofAction('agent_id')}
      and a.environment_id = ${ofAction('environment_id')} and a.epoch = ${ofAction('agent_epoch')})`;

/** Of the decisions in `fenced`, rows of `id` and `n`. */
export const INSERT_ACTIONS = `insert into actions (${columns.join(', ')}) select ${columns.map(ofAction).join(', ')} from fenced`;

/** Every event of the actions in `written`, rows of `id` and `n`. */
export const toldOf = (written: string): string => `told as (
    insert into audit_events (organization_id, id, type, occurred_at, workspace_id, environment_id, actor_type, actor_id, actor_name,
      subject_type, subject_id, severity, request_id, trace_id, data)
    select ${ofAction('organization_id')}, event_id, ${ofEvent('type')}, ${ofAction('created_at')}, ${ofAction('workspace_id')},
      ${ofAction('environment_id')}, ${ofAction('principal_type')}, ${ofAction('principal_id')}, ${ofEvent('actor_name')},
      'action', id, ${ofEvent('severity')}, ${ofAction('request_id')}, ${ofAction('trace_id')}, ${ofEvent('data')}
      from unnest($${firstOfEvents}::text[]) with ordinality as event (event_id, k) join ${written} on id = ${ofEvent('action_id')})`;

/** Answers the ids of the decisions whose state still stands; each of them was written. */
export const RECORD_DECISIONS: PreparedStatement = {
  name: 'record_decisions',
  text: `with ${FENCED}, recorded as (${INSERT_ACTIONS}), ${toldOf('fenced')} select id, true as is_new from fenced`,
};

/**
 * As above for decisions of which some have an idempotency key. One whose key was used before, by an action or by the resubmission that
 * used up an approval, is answered with `is_new` false and not written. Always in the same order, so that two batches with the same keys
 * never wait for each other.
 */
export const RECORD_KEYED_DECISIONS: PreparedStatement = {
  name: 'record_keyed_decisions',
  text: `with ${FENCED}, recorded as (${INSERT_ACTIONS}
     where not exists (select from approvals p where p.organization_id = ${ofAction('organization_id')}
             and p.agent_id = ${ofAction('principal_id')} and p.consumed_by_key = ${ofAction('idempotency_key')})
     order by n
    on conflict (organization_id, principal_id, idempotency_key) where idempotency_key is not null do nothing
    returning id as recorded_id
  ), ${toldOf('(fenced join recorded on recorded_id = id)')}
  select id, exists (select from recorded where recorded_id = id) as is_new from fenced`,
};
