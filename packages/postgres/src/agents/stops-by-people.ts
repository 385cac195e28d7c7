import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';

/**
 * A stop of an agent or a tool. STATUS: paused, suspended, isolated or disabled. END: an agent has an end. The others name the capability that was
 * withdrawn from an agent, and the agent that was withdrawn from a tool.
 */
export type StopWord = 'STATUS' | 'END' | `capability ${string}` | `agent ${string}`;

export type StopKey = { readonly subject_id: string; readonly stop: StopWord };

export const insertStops = async (
  tx: TenantTransaction,
  organizationId: string,
  stops: readonly StopKey[],
  by: { readonly stopped_by: string; readonly stopped_at: Date },
): Promise<void> => {
  if (stops.length === 0) return;
  // A restricted tool stops up to a thousand agents, so the statement has a few parameters instead of some for each stop.
  await sql`insert into stops_by_people (organization_id, subject_id, stop, stopped_by, stopped_at)
    select ${organizationId}, subject_id, stop, ${by.stopped_by}, ${by.stopped_at}
    from unnest(${stops.map(({ subject_id }) => subject_id)}::text[], ${stops.map(({ stop }) => stop)}::text[]) as made (subject_id, stop)
    on conflict (organization_id, subject_id, stop) do nothing`.execute(tx);
};

export const isStoppedByPerson = async (tx: TenantTransaction, organizationId: string, { subject_id, stop }: StopKey): Promise<boolean> => {
  const found = await tx
    .selectFrom('stops_by_people')
    .select('stop')
    .where('organization_id', '=', organizationId)
    .where('subject_id', '=', subject_id)
    .where('stop', '=', stop)
    .executeTakeFirst();
  return found !== undefined;
};

/** Deletes one stop of each of these agents or tools. */
export const deleteStops = async (
  tx: TenantTransaction,
  organizationId: string,
  subjectIds: readonly string[],
  stop: StopWord,
): Promise<void> => {
  if (subjectIds.length === 0) return;
  await tx
    .deleteFrom('stops_by_people')
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`subject_id = any (${[...subjectIds]}::text[])`)
    .where('stop', '=', stop)
    .execute();
};
