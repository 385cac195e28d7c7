import type { Database } from '@svc/postgres/connection/connect.ts';
import { openReplica, type ReadReplica, type ReplicaFault } from '@svc/postgres/connection/open-replica.ts';
import type { Logger } from 'pino';

/** How long the result of a replica check is cached. */
const CHECK_EVERY_MS = 500;

const SENTENCES: Readonly<Record<ReplicaFault, string>> = {
  unavailable: 'The database in SVC_READ_DATABASE_URL does not respond.',
  not_a_replica: 'The database in SVC_READ_DATABASE_URL is not a replica: it accepts changes of its own.',
  other_server: 'The database in SVC_READ_DATABASE_URL is a replica of another server than DATABASE_URL.',
  behind: 'The replica in SVC_READ_DATABASE_URL is further behind than SVC_READ_LAG_MAX_SECONDS.',
};

type Settings = { readonly readDatabaseUrl: string | undefined; readonly readLagMaxMs: number };

/** Opens the replica that the settings name; undefined if they name none. Logs when it stops and resumes being used. */
export const openReadReplica = (
  { readDatabaseUrl, readLagMaxMs }: Settings,
  primary: Database,
  log: Logger,
  open: (url: string) => Database,
): ReadReplica | undefined => {
  if (readDatabaseUrl === undefined) return undefined;
  const onChange = (fault: ReplicaFault | undefined): void => {
    if (fault === undefined) log.info('The audit record is read from the replica again.');
    else log.warn({ replica_fault: fault }, `${SENTENCES[fault]} The audit record is read from the database itself.`);
  };
  const now = (): number => performance.now();
  return openReplica({ primary, replica: open(readDatabaseUrl), lagMaxMs: readLagMaxMs, checkEveryMs: CHECK_EVERY_MS, now, onChange });
};
