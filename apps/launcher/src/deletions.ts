import path from 'node:path';
import { isRefusedLogin } from '@svc/postgres/connection/is-unavailable.ts';
import { listCertificates } from '@svc/postgres/tenancy/organization/erase-organization.ts';
import { reachDatabase } from './break-glass/reach-database.ts';
import { listFaults } from './faults/list-faults.ts';
import { escapeLine } from './operator/escape-line.ts';
import { readLauncherSettings } from './settings/settings.ts';

const USAGE = `npm run ops -- deletions [organization]

Prints the certificates of deletion, the newest first, one JSON object a line: of the organization with this id, or of the last 100.`;
const SHOWN_MAX = 100;
const NONE = 'No organization has been deleted.';
const ORGANIZATION = /^org_\w+$/;

/**
 * npm run ops -- deletions
 *
 * Shows what was removed of deleted organizations, for the operator of the machine.
 */
const run = async (organizationId: string | undefined): Promise<void> => {
  const { settings } = readLauncherSettings(process.env, path.resolve(import.meta.dirname, '..', '..', '..'));
  const { identity, close } = await reachDatabase(settings);
  try {
    const found = await listCertificates(identity, organizationId, SHOWN_MAX);
    for (const certificate of found) console.log(escapeLine(JSON.stringify(certificate)));
    if (found.length === 0) console.error(organizationId === undefined ? NONE : `No deletion of ${organizationId} was certified here.`);
  } finally {
    await close();
  }
};

// Settings for another PostgreSQL must not affect connections to the embedded one.
if (!process.env.DATABASE_URL) for (const name of Object.keys(process.env)) if (name.startsWith('PG')) delete process.env[name];
// Exiting stops an embedded database that was started here.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const words = process.argv.slice(2);
const strange = words.find((word) => !ORGANIZATION.test(word)) ?? words[1];
if (strange !== undefined) {
  const asked = words.some((word) => ['-h', '--help'].includes(word));
  if (asked) console.log(USAGE);
  else console.error(`${strange} is not recognized.\n\n${USAGE}`);
  process.exitCode = asked ? 0 : 2;
} else {
  try {
    await run(words[0]);
  } catch (error) {
    const sentence = isRefusedLogin(error)
      ? 'The database does not let this command in: the master key must be the one it was set up with.'
      : `The database could not be reached or queried: ${String(error)}`;
    console.error(listFaults(error)?.join('\n') ?? sentence);
    process.exitCode = 1;
  }
}
