import type pg from 'pg';
import { newUlid } from '../records/new-ulid.ts';

export type WrittenEvents = {
  readonly organizationId: string;
  readonly type?: string;
  readonly workspaceId?: string;
  readonly environmentId?: string;
  readonly subjects?: readonly string[];
};

/** Writes events as the owner of the database, one for each subject in their order and all in one transaction; their identifiers. */
export const writeEvents = async (
  owner: pg.Client,
  { organizationId, type = 'agent.created', workspaceId, environmentId, subjects = ['agt_1'] }: WrittenEvents,
): Promise<string[]> => {
  const ids = subjects.map(() => `evt_${newUlid()}`).sort();
  await owner.query(
    `insert into audit_events (organization_id, id, type, occurred_at, workspace_id, environment_id, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data)
     select $1, id, $2, date_trunc('milliseconds', now()), $3, $4, 'USER', 'usr_1', 'agent', subject, 'info', 'req_1', 't', jsonb_build_object('n', n)
       from unnest($5::text[], $6::text[]) with ordinality as e (id, subject, n)`,
    [organizationId, type, workspaceId ?? null, environmentId ?? null, ids, [...subjects]],
  );
  return ids;
};
