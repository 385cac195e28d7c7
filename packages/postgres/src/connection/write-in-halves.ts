import { isOfTheRows } from './is-of-the-rows.ts';

/** A rejected row, and the database's error. */
export type RefusedRow<Row> = { readonly row: Row; readonly error: unknown };

/**
 * Writes rows together; if the database rejects their contents, in halves, so that a bad row does not affect others and costs few
 * statements.
 * Returns those that are rejected alone. Any other failure, such as of the connection, fails all of them. `write` is
 * one statement or one transaction: it writes nothing of rejected rows.
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
