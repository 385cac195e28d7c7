import { freshDatabase } from '@svc/testing/database/database.ts';
import { readTables, type Table } from './read-columns.ts';

/** The tables of a fresh database to which every migration was applied. */
export const migratedTables = async (): Promise<readonly Table[]> => {
  const database = await freshDatabase();
  const client = await database.client();
  try {
    return await readTables(client);
  } finally {
    await client.end();
    await database.drop();
  }
};
