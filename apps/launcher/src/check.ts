import { deriveInstallation } from '@svc/keyring/sealed/installation.ts';
import { openInstallationKey } from '@svc/operations/service/keys/open-installation-key.ts';
import { withCheckedCertificate } from '@svc/postgres/connection/connect.ts';
import { checkUpgrade } from '@svc/postgres/migrate/check-upgrade.ts';
import { readKeptKeys } from '@svc/postgres/migrate/installation-keys.ts';
import { provideDatabase, readConfiguredMasterKey } from './break-glass/reach-database.ts';
import { escapeLine } from './operator/escape-line.ts';
import { readOperatorSettings } from './operator/operator-settings.ts';
import { runCommand } from './operator/run-command.ts';
import { mayRun } from './start/only-help.ts';

const USAGE = `Checks the database before an upgrade to this version, and changes nothing:

    npm run ops -- check

Run it from the new version with the login of the owner. FAULT lines keep the upgrade from working; the exit code is then 1.`;

const run = async (): Promise<boolean> => {
  const settings = readOperatorSettings();
  const master = readConfiguredMasterKey(settings);
  const { url, stop } = await provideDatabase(settings);
  try {
    const ownerUrl = withCheckedCertificate(url);
    const { key } = await openInstallationKey(await readKeptKeys(ownerUrl), master);
    const lines = await checkUpgrade(ownerUrl, deriveInstallation(key));
    for (const { kind, text } of lines) console.log(escapeLine(`${kind.padEnd(5)}  ${text}`));
    return lines.every(({ kind }) => kind !== 'FAULT');
  } finally {
    await stop();
  }
};

if (mayRun(process.argv.slice(2), USAGE))
  process.exitCode = await runCommand({ usage: USAGE, asksForHelp: () => false, read: () => ({}), run });
