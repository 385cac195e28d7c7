/** SQLSTATE classes about rows, and not about the server: data, constraints, and size limits. */
const OF_THE_ROWS = /^(22|23|54)/;

/** Returns true if the database rejects the contents of rows: it would reject them again, and other rows are not affected. */
export const isOfTheRows = (error: unknown): boolean => error instanceof Error && 'code' in error && OF_THE_ROWS.test(`${error.code}`);
