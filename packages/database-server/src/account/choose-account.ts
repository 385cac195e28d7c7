import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseServerFault } from '@svc/postgres/migrate/database-server-fault.ts';
import { hasErrorCode } from '../system/system-error.ts';

/** Numeric user and group of a process. */
export type ProcessAccount = { readonly uid: number; readonly gid: number };

/** Outside every range that Linux distributions, systemd and directory services assign, so that no other program runs as it. */
const dedicatedId = 60978;

/**
 * Chooses the account of the server, since PostgreSQL refuses to run as root; always the same for one cluster. Undefined: run as the
 * current user.
 */
export const chooseServerAccount = (cluster: string, self: ProcessAccount = ownAccount()): ProcessAccount | undefined => {
  const clusterOwner = getOwner(cluster);
  if (self.uid !== 0) {
    if (clusterOwner !== undefined && clusterOwner.uid !== self.uid) {
      throw new DatabaseServerFault(
        `The database in ${cluster} belongs to user id ${clusterOwner.uid}, not to you (${self.uid}). Start as that user or as root, or choose another folder with DATA_DIR.`,
      );
    }
    return undefined;
  }
  if (clusterOwner !== undefined && clusterOwner.uid !== 0) return clusterOwner;
  // A folder of an ordinary user, where root starts the server: that user can already read and change everything here.
  return nearestOrdinaryOwner(path.dirname(cluster)) ?? { uid: dedicatedId, gid: dedicatedId };
};

/** Returns an account with a user name, the given one if it has one: initdb requires a name, the server does not. */
export const chooseNamedAccount = (account: ProcessAccount, passwd = readFileSync('/etc/passwd', 'utf8')): ProcessAccount => {
  const users = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid]) => ({ name, uid: Number(uid) }))
    .filter((user) => Number.isSafeInteger(user.uid) && user.uid > 0);
  const named = users.find((user) => user.uid === account.uid) ?? users.find((user) => user.name === 'nobody') ?? users[0];
  if (named === undefined) {
    throw new DatabaseServerFault(
      'PostgreSQL refuses to run as root, and /etc/passwd has no other user. Add one, or set DATABASE_URL to your own PostgreSQL.',
    );
  }
  // The group stays the server's own: the folder that initdb works in is open to that group alone.
  return { uid: named.uid, gid: account.gid };
};

const ownAccount = (): ProcessAccount => ({ uid: process.geteuid?.() ?? -1, gid: process.getegid?.() ?? -1 });

const getOwner = (folder: string): ProcessAccount | undefined => {
  try {
    const { uid, gid } = statSync(folder);
    return { uid, gid };
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

const nearestOrdinaryOwner = (folder: string): ProcessAccount | undefined => {
  const owner = getOwner(folder);
  if (owner !== undefined && owner.uid !== 0) return owner;
  return path.dirname(folder) === folder ? undefined : nearestOrdinaryOwner(path.dirname(folder));
};
