import type { ActionRecord, DecisionRecord, RecordOutcome } from '@svc/enforcement/ports.ts';
import { newBinaryArrays } from './binary-arrays.ts';
import { ACTION_COLUMNS, EVENT_COLUMNS, type Told } from './decision-columns.ts';
import type { PreparedConnection } from './prepared-connection.ts';
import { RECORD_DECISIONS, RECORD_KEYED_DECISIONS } from './record-decisions.ts';
import { encodeColumns } from './sent-columns.ts';

/** `key_used`: nothing was written, since the idempotency key was used before. What for is another question. */
export type BatchOutcome = Extract<RecordOutcome, { outcome: 'recorded' | 'moved' }> | { readonly outcome: 'key_used' };
export type RecordBatch = (records: readonly DecisionRecord[]) => Promise<BatchOutcome[]>;

const RECORDED: BatchOutcome = { outcome: 'recorded' };
export const KEY_USED = { outcome: 'key_used' } as const satisfies BatchOutcome;
const MOVED: BatchOutcome = { outcome: 'moved' };

const placeOfKey = (action: ActionRecord): string => `${action.organization_id} ${action.principal_id} ${action.idempotency_key ?? ''}`;

/** The one order in which everybody writes decisions with keys. */
export const byKey = (one: DecisionRecord, other: DecisionRecord): number => {
  const [left, right] = [placeOfKey(one.action), placeOfKey(other.action)];
  return left === right ? 0 : left < right ? -1 : 1;
};

/**
 * Records over one connection, one batch at a time: the memory a batch was encoded in serves the next. One statement for a whole batch:
 * a decision is written only if both epochs it was made at are still the newest, together with its events.
 */
export const newRecordBatch = (connection: PreparedConnection): RecordBatch => {
  const arrays = newBinaryArrays();
  return async (records) => {
    const isKeyed = records.some(({ action }) => action.idempotency_key !== null);
    const ordered = isKeyed ? records.toSorted(byKey) : records;
    const actions = ordered.map((record) => record.action);
    const told = ordered.flatMap(({ action, events }): Told[] => events.map((event) => ({ event, action })));
    arrays.reuse();
    const parameters = [...encodeColumns(arrays, ACTION_COLUMNS, actions), ...encodeColumns(arrays, EVENT_COLUMNS, told)];
    const statement = isKeyed ? RECORD_KEYED_DECISIONS : RECORD_DECISIONS;
    const rows = await connection.run<{ id: string; is_new: boolean }>(statement, parameters);
    const outcomes = new Map(rows.map((row) => [row.id, row.is_new ? RECORDED : KEY_USED]));
    return records.map(({ action }) => outcomes.get(action.id) ?? MOVED);
  };
};
