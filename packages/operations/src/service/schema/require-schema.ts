import { SETTINGS } from '@svc/contract/tables/limits.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { isPinned } from '@svc/postgres/connection/is-pinned.ts';
import { findSchemaFault } from '@svc/postgres/migrate/schema-fault.ts';
import { refuseForDatabase } from '@svc/program/start/refuse-to-start.ts';

const POOLED = `A pooler answers at the address in ${SETTINGS.databaseUrl} and drops the settings of connections (ignore_startup_parameters). Each program has pools of its own: name the address of the database itself.`;

/** Exits with a message if a pooler is between, or the schema of the database has another version; throws if the database does not respond. */
export const requireSchema = async (database: Database): Promise<void> => {
  if (!(await isPinned(database))) throw refuseForDatabase(POOLED);
  const fault = await findSchemaFault(database);
  if (fault !== undefined) throw refuseForDatabase(fault);
};
