import type { DecisionRecord } from '@svc/enforcement/ports.ts';
import type pg from 'pg';
import { encodeDecisions, type RecordedTypes } from './encode-decisions.ts';
import type { PreparedConnection, PreparedStatement } from './prepared-connection.ts';
import { newWireBytes } from './wire-bytes.ts';

const RECORDED_TYPES: PreparedStatement = {
  name: 'recorded_types',
  text: `select 'recorded_decision'::regtype::oid as decision, 'recorded_event'::regtype::oid as event,
    'recorded_event[]'::regtype::oid as events`,
};

const askTypes = async (connection: PreparedConnection): Promise<RecordedTypes> => {
  const [types] = await connection.run<RecordedTypes>(RECORDED_TYPES, []);
  if (types === undefined) throw new Error('the database knows no recorded_decision');
  return types;
};

/** Runs a statement with the decisions as its first parameter. */
export type SendDecisions = <Row extends pg.QueryResultRow>(
  statement: PreparedStatement,
  records: readonly DecisionRecord[],
  ...more: readonly unknown[]
) => Promise<Row[]>;

/** Over one connection, one batch at a time: the memory a batch was encoded in serves the next. */
export const newSendDecisions = (connection: PreparedConnection): SendDecisions => {
  const bytes = newWireBytes();
  let types: Promise<RecordedTypes> | undefined;
  return async (statement, records, ...more) => {
    types ??= askTypes(connection);
    try {
      return await connection.run(statement, [encodeDecisions(bytes, await types, records), ...more]);
    } catch (error) {
      // The next connection may reach another database, which was restored from a copy and numbers its types anew.
      types = undefined;
      throw error;
    }
  };
};
