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
  await tx
    .insertInto('stops_by_people')
    .values(stops.map((stop) => ({ organization_id: organizationId, ...stop, ...by })))
    .onConflict((conflict) => conflict.columns(['organization_id', 'subject_id', 'stop']).doNothing())
    .execute();
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
    .where('subject_id', 'in', [...subjectIds])
    .where('stop', '=', stop)
    .execute();
};
