import type { Database } from '@svc/postgres/connection/connect.ts';
import { schemaFault } from '@svc/postgres/migrate/schema-fault.ts';
import { refuseForDatabase } from '@svc/program/start/refuse-to-start.ts';

/** Exits with a message if the schema of the database has another version; throws if the database does not respond. */
export const requireSchema = async (database: Database): Promise<void> => {
  const fault = await schemaFault(database);
  if (fault !== undefined) throw refuseForDatabase(fault);
};
