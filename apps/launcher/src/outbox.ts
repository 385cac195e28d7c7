import path from 'node:path';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import { boxed } from '@svc/mail/rendering/boxed.ts';
import { readOutbox } from '@svc/operations/people/mail/read-outbox.ts';
import { isRefusedLogin } from '@svc/postgres/connection/is-unavailable.ts';
import { reachDatabase } from './break-glass/reach-database.ts';
import { listFaults } from './faults/list-faults.ts';
import { readLauncherSettings } from './settings/settings.ts';
import { mayRun } from './start/only-help.ts';

const HELP = `Shows the latest mails of this service, codes included, the newest last:

    npm run ops -- outbox

They are kept for a day if no mail server is set (SMTP_URL). Uses the database in DATA_DIR or DATABASE_URL.`;

const NONE = 'The outbox is empty. It keeps mails for a day if the service has no mail server (SMTP_URL).';

const show = async (): Promise<void> => {
  const { settings } = readLauncherSettings(process.env, path.resolve(import.meta.dirname, '..', '..', '..'));
  const { identity, masterKey, close } = await reachDatabase(settings);
  try {
    const mails = await readOutbox(identity, deriveKey(masterKey, 'mail-sealing'));
    console.log(
      mails.length === 0
        ? NONE
        : [...mails]
            .reverse()
            .map((mail) => `${mail.created_at}\n${boxed(mail)}`)
            .join('\n\n'),
    );
  } finally {
    await close();
  }
};

// Settings for another PostgreSQL must not affect connections to the embedded one.
if (!process.env.DATABASE_URL) for (const name of Object.keys(process.env)) if (name.startsWith('PG')) delete process.env[name];
// Exiting stops an embedded database that was started here.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

try {
  if (mayRun(process.argv.slice(2), HELP)) await show();
} catch (error) {
  const faults = listFaults(error);
  if (faults === undefined && !isRefusedLogin(error)) throw error;
  const sentence =
    'The database does not let this command in: the master key must be the one it was set up with, as SVC_MASTER_KEY or as master.key in the folder that DATA_DIR names.';
  console.error(faults?.join('\n') ?? sentence);
  process.exitCode = 1;
}
