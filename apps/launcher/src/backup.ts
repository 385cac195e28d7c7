import { clusterExists } from '@svc/database-server/cluster/create-cluster.ts';
import { layOut } from '@svc/database-server/cluster/data-layout.ts';
import { openBackup } from '@svc/postgres/backup/read-backup.ts';
import { type Command, newProgress, runCommand, withDatabase } from './backup/run-command.ts';
import { assertNew, writeBackupFile } from './backup/write-backup-file.ts';
import { masterKeyFile } from './data-folder/master-key.ts';
import { LaunchFault } from './faults/launch-fault.ts';

const USAGE = `Keeps everything in the database in one file, while the service goes on:

    npm run backup -- <file>

The database is that of DATA_DIR, or the one DATABASE_URL names as its owner. The master key is not in the file.`;

/** npm run backup: the database at one moment, in a file that `npm run restore` reads. */
const backUp = async (command: Command): Promise<void> => {
  const { file, settings, say } = command;
  const { dataDir, databaseUrl, masterKey } = settings;
  if (databaseUrl === undefined && !clusterExists(layOut(dataDir)))
    throw new LaunchFault(`There is no database in ${dataDir}: name its folder with DATA_DIR, or set DATABASE_URL.`);
  assertNew(file);
  const { head, rows } = await withDatabase(command, async ({ ownerUrl }) => {
    const backup = await openBackup(ownerUrl);
    try {
      return { head: backup.head, rows: await writeBackupFile(file, backup, newProgress(say)) };
    } finally {
      await backup.close();
    }
  });
  say(`${file} holds ${rows.toLocaleString('en')} rows of installation ${head.installation.id}, as they were at ${head.taken_at}.`);
  const where = masterKey === undefined ? masterKeyFile(dataDir) : 'what SVC_MASTER_KEY was set to';
  say(`The master key is not in it: keep ${where} too, in another place. Without it nothing can be restored.`);
};

await runCommand(USAGE, backUp);
