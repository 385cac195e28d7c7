/** Classes of SQLSTATE that say something of the rows, and nothing of the server: data, what has to hold of them, and how large they may be. */
const OF_THE_ROWS = /^(22|23|54)/;

/** Whether the database refuses what rows hold: it would refuse them again, and any other rows beside them are none of it. */
export const isOfTheRows = (error: unknown): boolean => error instanceof Error && 'code' in error && OF_THE_ROWS.test(`${error.code}`);
