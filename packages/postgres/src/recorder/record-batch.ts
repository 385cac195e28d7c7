import type { ActionRecord, DecisionRecord, RecordOutcome } from '@svc/enforcement/ports/ports.ts';
import { encodeDecisions } from './encode-decisions.ts';
import type { EventRows } from './event-rows.ts';
import type { PreparedConnection, PreparedStatement } from './prepared-connection.ts';
import { listLeases, RECORD_DECISIONS, RECORD_KEYED_DECISIONS, type WrittenRow } from './record-decisions.ts';
import { newWireBytes } from './wire-bytes.ts';

/** `key_used`: nothing was written, since the idempotency key was used before. Its first use is read separately. */
export type BatchOutcome = Extract<RecordOutcome, { outcome: 'recorded' | 'moved' }> | { readonly outcome: 'key_used' };
export type RecordBatch = (records: readonly DecisionRecord[]) => Promise<BatchOutcome[]>;

const RECORDED: BatchOutcome = { outcome: 'recorded' };
export const KEY_USED = { outcome: 'key_used' } as const satisfies BatchOutcome;
const MOVED: BatchOutcome = { outcome: 'moved' };

const placeOfKey = (action: ActionRecord): string => `${action.organization_id} ${action.principal_id} ${action.idempotency_key ?? ''}`;

/** The global order in which decisions with keys are written, to prevent a deadlock. */
export const byKey = (one: DecisionRecord, other: DecisionRecord): number => {
  const [left, right] = [placeOfKey(one.action), placeOfKey(other.action)];
  return left === right ? 0 : left < right ? -1 : 1;
};

const findPlaces = (listed: string | null | undefined): Set<string> => new Set(listed?.split(' '));

/** In the order in which the decisions were sent, with the first at position 1. */
const listOutcomes = (sent: readonly DecisionRecord[], row: WrittenRow | undefined): BatchOutcome[] => {
  const recorded = findPlaces(row?.recorded);
  const keyUsed = findPlaces(row?.key_used);
  return sent.map((_, index) => {
    const place = String(index + 1);
    return recorded.has(place) ? RECORDED : keyUsed.has(place) ? KEY_USED : MOVED;
  });
};

/**
 * Records over one connection, one batch at a time: the memory of an encoded batch is reused. One statement for a whole batch:
 * a decision is written only if both epochs it was made at are still the newest, together with its events. `afterCallMs`: from
 * the end of a call's timeout to the end of its lease.
 */
export const newRecordBatch = (connection: PreparedConnection, eventRows: EventRows, afterCallMs: number): RecordBatch => {
  const bytes = newWireBytes();
  const write = async (statement: PreparedStatement, records: readonly DecisionRecord[]): Promise<BatchOutcome[]> => {
    const [row] = await connection.run<WrittenRow>(statement, [
      encodeDecisions(bytes, records, eventRows),
      listLeases(records, afterCallMs),
    ]);
    return listOutcomes(records, row);
  };
  return async (records) => {
    if (records.every(({ action }) => action.idempotency_key === null)) return await write(RECORD_DECISIONS, records);
    const ordered = records.toSorted(byKey);
    const outcomes = await write(RECORD_KEYED_DECISIONS, ordered);
    const byRecord = new Map(ordered.map((record, index) => [record, outcomes[index] ?? MOVED]));
    return records.map((record) => byRecord.get(record) ?? MOVED);
  };
};
