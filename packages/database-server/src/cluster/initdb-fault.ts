import { DatabaseServerFault } from '@svc/postgres/migrate/database-server-fault.ts';

/** A Ctrl-C reaches initdb, or a program that it runs, before any other process. */
const INTERRUPTED = /\bSIG(?:INT|TERM)\b|terminated by signal (?:2|15)\b|interrupted|caught signal/i;

/** initdb starts the server through a shell, with the path in double quotes. */
const READ_BY_A_SHELL = /["$`\\]/;

export type EndOfInitdb = { readonly signal: string | null; readonly stderr: string; readonly error?: Error | undefined };

/** Returns the error message for a failed initdb, by its output. */
export const findInitdbFault = (dataDir: string, initdb: string, { signal, stderr, error }: EndOfInitdb): DatabaseServerFault => {
  if (INTERRUPTED.test(`${signal} ${stderr}`))
    return new DatabaseServerFault('Stopped while the database was being created. All its files were removed.');
  const why = error?.message || stderr.trim().split('\n')[0] || `ended by ${signal}`;
  if (/could not look up effective user ID/.test(why))
    return new DatabaseServerFault(
      `The database could not be created in ${dataDir} (${why}). PostgreSQL requires a name for your user id: add it to /etc/passwd, start as a user with a name, or set DATABASE_URL to your own PostgreSQL.`,
    );
  if (READ_BY_A_SHELL.test(initdb) && /^sh:/m.test(stderr))
    return new DatabaseServerFault(
      `The database could not be created in ${dataDir} (${why}). The path ${initdb} has a ", $, \` or \\ in it, which PostgreSQL does not support. Move the project to another folder.`,
    );
  return new DatabaseServerFault(
    `The database could not be created in ${dataDir} (${why}). Check that the disk has free space and is writable.`,
  );
};
