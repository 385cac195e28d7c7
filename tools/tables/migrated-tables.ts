import { createFreshDatabase } from '@svc/testing/database/database.ts';
import { readTables, type Table } from './read-columns.ts';

/** Returns the tables of a new database after every migration. */
export const getMigratedTables = async (): Promise<readonly Table[]> => {
  const database = await createFreshDatabase();
  const client = await database.client();
  try {
    return await readTables(client);
  } finally {
    await client.end();
    await database.drop();
  }
};
