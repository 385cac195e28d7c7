import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { newEventAuthenticator } from '@svc/keyring/log/event-authenticator.ts';
import { deriveInstallation } from '@svc/keyring/sealed/installation.ts';
import { findOpened } from '@svc/operations/service/keys/open-installation-key.ts';
import type { BackupHead } from '@svc/postgres/backup/backup-part.ts';
import { assertSameKey, loadBackup, notOfThisKey, readBackupKeys } from '@svc/postgres/backup/load-backup.ts';
import { checkBackupFile, yieldParts } from './backup/read-backup-file.ts';
import { type BackupCommand, newProgress, runCommand, withDatabase } from './backup/run-command.ts';
import { parseMasterKey } from './data-folder/master-key.ts';
import { provideDataFolder } from './data-folder/provide-data-folder.ts';
import { LaunchFault } from './faults/launch-fault.ts';
import { getSandboxPortFile } from './sandbox/sandbox.ts';
import type { LauncherSettings } from './settings/settings.ts';

const USAGE = `Fills an empty database with a backup, and makes the roles it needs:

    npm run ops -- restore <file>

The database is that of DATA_DIR, or the one DATABASE_URL names as its owner. The master key must be the one that the service
had when it was backed up: as master.key in DATA_DIR, or as the settings name it.`;

const SANDBOX =
  'Tools that call the sandbox receiver, as those of the demo do, name its port: copy sandbox.port from the former data folder into this one, else they are allowed and not executed.';

/** Returns the installation key of the backup, unwrapped with the master key of its time. */
const readInstallationKey = async ({ dataDir, masterKey }: LauncherSettings, head: BackupHead): Promise<KeyObject> => {
  const [kept, master] = [readBackupKeys(head), masterKey ?? parseMasterKey(dataDir, true)];
  const key = kept.state === 'wrapped' ? (await findOpened(kept, master))?.key : master.kind === 'KEY' ? master.key : undefined;
  if (key === undefined) throw new LaunchFault(notOfThisKey(head));
  return key;
};

/**
 * npm run ops -- restore
 *
 * Checks everything before anything is changed, and restores all or nothing.
 */
const restore = async (command: BackupCommand): Promise<void> => {
  const { file, settings, say } = command;
  const head = await checkBackupFile(file);
  const folderFault = provideDataFolder(settings.dataDir);
  if (folderFault !== undefined) throw new LaunchFault(folderFault);
  const key = await readInstallationKey(settings, head);
  const installation = deriveInstallation(key);
  assertSameKey(head, installation);
  const authenticator = newEventAuthenticator(key);
  await withDatabase(command, ({ ownerUrl }) =>
    loadBackup(ownerUrl, installation, head, yieldParts(file, newProgress(say, head.rows)), authenticator),
  );
  say(`Restored ${head.rows.toLocaleString('en')} rows of installation ${head.installation.id}, as they were at ${head.taken_at}.`);
  if (!existsSync(getSandboxPortFile(settings.dataDir))) say(SANDBOX);
  say('Start the service with "npm start" and the same settings.');
};

await runCommand(USAGE, restore);
