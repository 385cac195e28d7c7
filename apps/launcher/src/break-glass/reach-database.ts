import { existsSync } from 'node:fs';
import { ownerUrl } from '@svc/database-server/cluster/owner-url.ts';
import { deriveRoleLogin } from '@svc/keyring/sealed/installation.ts';
import { readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { connect, type Database, type DatabaseRole } from '@svc/postgres/connection/connect.ts';
import { provideMasterKey } from '../data-folder/master-key.ts';
import { withoutCredentials } from '../database/prepare-database.ts';
import { LaunchFault } from '../faults/launch-fault.ts';
import type { LauncherSettings } from '../settings/settings.ts';

/** Longer than any request of the service waits: it is the operator who waits, and in need. */
const TIMEOUT_MS = 30_000;

const keyTextOf = ({ masterKey, dataDir }: LauncherSettings): string => {
  if (masterKey !== undefined) return masterKey;
  if (!existsSync(dataDir)) throw new LaunchFault(`There is no service in ${dataDir}: name its folder with DATA_DIR.`);
  const provided = provideMasterKey(dataDir, true);
  if ('fault' in provided) throw new LaunchFault(provided.fault);
  return provided.text;
};

/**
 * The database as the planes enter it, by the master key alone: no sign-in, no session and no plane is asked, so no lockout, budget or queue
 * of theirs is in the way, while row-level security still holds and nothing but rows can be changed.
 */
export const reachDatabase = (settings: LauncherSettings): Readonly<Record<'app' | 'identity', Database>> => {
  const url = settings.databaseUrl ?? ownerUrl(settings.dataDir);
  if (url === undefined)
    throw new LaunchFault(`There is no database in ${settings.dataDir}: name its folder with DATA_DIR, or set DATABASE_URL.`);
  const masterKey = readMasterKey(keyTextOf(settings));
  if (!masterKey.ok) throw new LaunchFault(masterKey.reason);
  const as = (role: DatabaseRole): Database =>
    connect({
      url: withoutCredentials(url),
      role,
      ...deriveRoleLogin(masterKey.key, role),
      connectionsMax: 4,
      timeoutMs: TIMEOUT_MS,
    });
  return { app: as('svc_app'), identity: as('svc_identity') };
};
