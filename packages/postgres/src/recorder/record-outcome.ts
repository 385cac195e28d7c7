import { EVENTS } from '@svc/contract/events.ts';
import type { Outcome } from '@svc/enforcement/ports.ts';
import { sql } from 'kysely';
import type { Database } from '../connect.ts';
import { inTenant } from '../in-tenant.ts';

/** How an executed action went, with its event, in one statement. An action that was closed meanwhile stays as it was closed. */
export const recordOutcome = (database: Database, outcome: Outcome): Promise<void> => {
  const { action, status, code, execution, event, security, completed_at } = outcome;
  const told = security === undefined ? [event] : [event, security];
  const events = told.map(({ id, type, data }) => sql`(${id}, ${type}, ${EVENTS[type].severity}, ${JSON.stringify(data)})`);
  return inTenant(database, { organization_id: action.organization_id }, async (tx) => {
    await sql`
      with closed as (
        update actions set status = ${status}, code = coalesce(${code}, code), execution = ${JSON.stringify(execution)}::json, completed_at = ${completed_at}
         where organization_id = ${action.organization_id} and id = ${action.id} and status = 'EXECUTING' returning id)
      insert into audit_events (organization_id, id, type, occurred_at, workspace_id, environment_id, actor_type, actor_id, actor_name,
        subject_type, subject_id, severity, request_id, trace_id, data)
      select ${action.organization_id}, e.id, e.type, ${completed_at}::timestamptz, ${action.workspace_id}, ${action.environment_id},
        ${action.principal_type}, ${action.principal_id}, ${action.principal_name}, 'action', ${action.id}, e.severity,
        ${action.request_id}, ${action.trace_id}, e.data::json
        from closed cross join (values ${sql.join(events)}) as e (id, type, severity, data)`.execute(tx);
  });
};
