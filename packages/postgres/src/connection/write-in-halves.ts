import { isOfTheRows } from './is-of-the-rows.ts';

/** A row that the database refuses, and what it said. */
export type RefusedRow<Row> = { readonly row: Row; readonly error: unknown };

/**
 * Writes rows together; where the database refuses what they hold, in halves, so that a bad row holds up no other and costs few statements.
 * Answers those that are refused alone. Whatever else fails, such as the connection, fails all of them: it would be the same for each. `write` is
 * one statement or one transaction: of rows that are refused nothing is written.
 */
export const writeInHalves = async <Row>(
  rows: readonly Row[],
  write: (rows: readonly Row[]) => Promise<void>,
): Promise<readonly RefusedRow<Row>[]> => {
  if (rows.length === 0) return [];
  try {
    await write(rows);
    return [];
  } catch (error) {
    if (!isOfTheRows(error)) throw error;
    const [row] = rows;
    if (row !== undefined && rows.length === 1) return [{ row, error }];
    const middle = Math.ceil(rows.length / 2);
    return [...(await writeInHalves(rows.slice(0, middle), write)), ...(await writeInHalves(rows.slice(middle), write))];
  }
};
