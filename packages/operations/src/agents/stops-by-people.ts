import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { deleteStops, insertStops, isStoppedByPerson, type StopKey, type StopWord } from '@svc/postgres/agents/stops-by-people.ts';
import type { EventActor } from '@svc/postgres/audit/emitted-event.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';

const PERSON_ONLY = 'A person made this stop, so an API key cannot lift it. Have a signed-in person lift it.';

type By = Pick<EventActor, 'type' | 'id'>;

/** Records stops by a person or an operator. A stop by an API key is not recorded: a key may lift it. */
export const recordStops = async (
  tx: TenantTransaction,
  organizationId: string,
  stops: readonly StopKey[],
  { by, now }: { readonly by: By; readonly now: Date },
): Promise<void> => {
  if (by.type !== 'API_KEY') await insertStops(tx, organizationId, stops, { stopped_by: by.id, stopped_at: now });
};

/**
 * Deletes the recorded stop of an agent or tool that a person lifts; refuses an API key that lifts a person's stop. The caller holds its
 * lock.
 */
export const liftStop = async (
  tx: TenantTransaction,
  organizationId: string,
  stop: StopKey,
  by: By,
): Promise<Refusal<'PERMISSION_DENIED'> | undefined> => {
  if (by.type === 'API_KEY')
    return (await isStoppedByPerson(tx, organizationId, stop)) ? buildRefusal('PERMISSION_DENIED', PERSON_ONLY) : undefined;
  await deleteStops(tx, organizationId, [stop.subject_id], stop.stop);
  return undefined;
};

/** Deletes one kind of stop of several agents, for a person who lifts all of them. */
export const liftStopsByPerson = (
  tx: TenantTransaction,
  organizationId: string,
  subjectIds: readonly string[],
  stop: StopWord,
): Promise<void> => deleteStops(tx, organizationId, subjectIds, stop);
