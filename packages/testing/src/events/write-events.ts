import type pg from 'pg';
import { newUlid } from '../records/new-ulid.ts';
import { getEventMac } from './authenticate-events.ts';

export type WrittenEvents = {
  readonly organizationId: string;
  readonly type?: string;
  readonly workspaceId?: string;
  readonly environmentId?: string;
  readonly subjects?: readonly string[];
};

/** Writes events as the owner of the database, one for each subject in order, in one transaction; returns their ids. */
export const writeEvents = async (
  owner: pg.Client,
  { organizationId, type = 'agent.created', workspaceId, environmentId, subjects = ['agt_1'] }: WrittenEvents,
): Promise<string[]> => {
  const ids = subjects.map(() => `evt_${newUlid()}`).sort();
  const at = new Date().toISOString();
  const macs = ids.map((id, n) =>
    getEventMac({
      ...{
        organization_id: organizationId,
        id,
        type,
        occurred_at: at,
        workspace_id: workspaceId ?? null,
        environment_id: environmentId ?? null,
      },
      ...{ actor_type: 'USER', actor_id: 'usr_1', subject_type: 'agent', subject_id: subjects[n] ?? '', severity: 'info' },
      ...{ request_id: 'req_1', trace_id: 't', data: { n: n + 1 } },
    }),
  );
  await owner.query(
    `insert into audit_events (organization_id, id, type, occurred_at, workspace_id, environment_id, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data, mac)
     select $1, id, $2, $7, $3, $4, 'USER', 'usr_1', 'agent', subject, 'info', 'req_1', 't', jsonb_build_object('n', n), mac
       from unnest($5::text[], $6::text[], $8::bytea[]) with ordinality as e (id, subject, mac, n)`,
    [organizationId, type, workspaceId ?? null, environmentId ?? null, ids, [...subjects], at, macs],
  );
  return ids;
};
