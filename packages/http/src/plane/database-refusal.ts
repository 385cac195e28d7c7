import { SETTINGS } from '@svc/contract/tables/limits.ts';
import { isMissingDatabase, isMissingObject, isPooler, isRefusedLogin } from '@svc/postgres/connection/is-unavailable.ts';

const getReason = (error: unknown): string => (error instanceof Error && error.message !== '' ? error.message : 'no reason given');

/**
 * Returns the message with which a program refuses to start because of its database's answer, with the remedy. Undefined if the database
 * did not respond at all, which passes by itself.
 */
export const findDatabaseRefusal = (error: unknown): string | undefined => {
  if (isPooler(error))
    return `A pooler answers at the address in ${SETTINGS.databaseUrl} (${getReason(error)}). Each program has pools of its own and needs settings per connection: name the address of the database itself.`;
  if (isRefusedLogin(error))
    return `The database does not let this plane in: ${SETTINGS.masterKey} must be the one the database was set up with, and the database must have been brought up to date by a start with ${SETTINGS.databaseUrl} of its owner. If its passwords are being changed right now, start again when that is done.`;
  if (isMissingDatabase(error))
    return `The server has no such database (${getReason(error)}). Correct the name in ${SETTINGS.databaseUrl}, or create the database.`;
  if (isMissingObject(error))
    return `The database does not have the schema of this version (${getReason(error)}). Start this version once with ${SETTINGS.databaseUrl} set to its owner, which upgrades it.`;
  return undefined;
};

/** Returns the message for a database that does not respond yet. */
export const describeOutage = (error: unknown): string =>
  `The database does not respond (${getReason(error)}). Check that it is running and that ${SETTINGS.databaseUrl} is its address.`;
