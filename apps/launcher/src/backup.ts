import { clusterExists } from '@svc/database-server/cluster/create-cluster.ts';
import { layOut } from '@svc/database-server/cluster/data-layout.ts';
import { openBackup } from '@svc/postgres/backup/read-backup.ts';
import { readKeptKeys } from '@svc/postgres/migrate/installation-keys.ts';
import { describeKeyToKeep } from './backup/key-to-keep.ts';
import { type BackupCommand, newProgress, runCommand, withDatabase } from './backup/run-command.ts';
import { assertNew, writeBackupFile } from './backup/write-backup-file.ts';
import { LaunchFault } from './faults/launch-fault.ts';

const USAGE = `Keeps everything in the database in one file, while the service goes on:

    npm run ops -- backup <file>

The database is that of DATA_DIR, or the one DATABASE_URL names as its owner. The master key is not in the file.`;

/**
 * npm run ops -- backup
 *
 * Writes a consistent snapshot of the database to a file for `npm run ops -- restore`.
 */
const backUp = async (command: BackupCommand): Promise<void> => {
  const { file, settings, say } = command;
  const { dataDir, databaseUrl } = settings;
  if (databaseUrl === undefined && !clusterExists(layOut(dataDir)))
    throw new LaunchFault(`There is no database in ${dataDir}: name its folder with DATA_DIR, or set DATABASE_URL.`);
  assertNew(file);
  const { head, rows, kept } = await withDatabase(command, async ({ ownerUrl }) => {
    const backup = await openBackup(ownerUrl);
    try {
      const rows = await writeBackupFile(file, backup, newProgress(say));
      return { head: backup.head, rows, kept: await readKeptKeys(ownerUrl) };
    } finally {
      await backup.close();
    }
  });
  say(`${file} holds ${rows.toLocaleString('en')} rows of installation ${head.installation.id}, as they were at ${head.taken_at}.`);
  say(describeKeyToKeep(kept, settings));
};

await runCommand(USAGE, backUp);
