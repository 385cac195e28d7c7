import type { DecisionRecord, RecordOutcome } from '@svc/enforcement/ports/ports.ts';
import pg from 'pg';
import { askToTake, type ClaimRow } from './ask-claims.ts';
import { encodeDecisions } from './encode-decisions.ts';
import type { EventRows } from './event-rows.ts';
import type { PreparedConnection, PreparedStatement } from './prepared-connection.ts';
import { byKey, KEY_USED } from './record-batch.ts';
import { allKept, describeRecorded, insertActions, listLeases, SENT } from './record-decisions.ts';
import { newWireBytes } from './wire-bytes.ts';

export type ClaimedOutcome = Extract<RecordOutcome, { outcome: 'recorded' | 'moved' | 'claim_lost' }> | typeof KEY_USED;

/**
 * Checks and takes the claims of decisions on counted ceilings, and writes those that got all of them, in one statement: the counters are
 * locked
 * only while it runs and commits, and no one waits for another's round trip. A decision that the database did not store undoes
 * its claims.
 */
export const RECORD_CLAIMS: PreparedStatement = {
  name: 'record_claims',
  text: `with claimed as materialized (select * from svc_take_claims($2::jsonb)),
    fenced as materialized (
      select sent.* from ${SENT} join claimed on claimed.n = sent.ordinality and claimed.outcome = 'taken'),
    recorded as (${insertActions('$3')} order by ordinality returning 1), ${describeRecorded('fenced')},
    ${allKept('select count(*) from fenced', 'select count(*) from recorded')}
    select n, outcome, claim, frees_at, frees_in_seconds from claimed, all_kept`,
};

/** Two requests with one key at the same moment: the second did not see the first and could not be written, so nothing was taken for it. */
const isKeyRaced = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.constraint === 'actions_use_an_idempotency_key_once';

type RecordClaims = (records: readonly DecisionRecord[]) => Promise<ClaimedOutcome[]>;

/** Records over one connection, one batch at a time. `afterCallMs`: from the end of a call's time to the end of its lease. */
export const newRecordClaims = (connection: PreparedConnection, eventRows: EventRows, afterCallMs: number): RecordClaims => {
  const bytes = newWireBytes();
  const write = async (records: readonly DecisionRecord[]): Promise<ClaimedOutcome[]> => {
    const ordered = records.toSorted(byKey);
    const asked = askToTake(ordered);
    const rows = await connection.run<ClaimRow>(RECORD_CLAIMS, [
      encodeDecisions(bytes, ordered, eventRows),
      asked.json,
      listLeases(ordered, afterCallMs),
    ]);
    const outcomes = new Map(rows.map((row) => [ordered[row.n - 1], getOutcome(row, asked.lostOf)]));
    return records.map((record) => outcomes.get(record) ?? { outcome: 'moved' });
  };
  return async (records) => {
    try {
      return await write(records);
    } catch (error) {
      if (records.length > 1 || !isKeyRaced(error)) throw error;
      return await write(records);
    }
  };
};

const getOutcome = (
  row: ClaimRow,
  lostOf: (row: ClaimRow) => Extract<ClaimedOutcome, { outcome: 'claim_lost' }>['lost'],
): ClaimedOutcome => {
  switch (row.outcome) {
    case 'taken':
      return { outcome: 'recorded' };
    case 'lost':
      return { outcome: 'claim_lost', lost: lostOf(row) };
    case 'key_used':
      return KEY_USED;
    case 'moved':
      return { outcome: 'moved' };
  }
};
