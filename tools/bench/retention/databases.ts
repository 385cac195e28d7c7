import { lookAtDatabase } from '@svc/postgres/migrate/look-at-database.ts';
import { applyAll, asOwner } from '@svc/postgres/migrate/migrate.ts';
import { readMigrations } from '@svc/postgres/migrate/read-migrations.ts';
import { TEST_INSTALLATION } from '@svc/testing/database/master-key.ts';

/** The migration that parted the events. */
export const PARTING = '0073';

/** Brings a database up to the release before events were parted, or to this one; how many milliseconds its migrations took. */
export const bringUp = async (url: string, to: 'whole' | 'parted'): Promise<number> => {
  const migrations = (await readMigrations()).filter(({ name }) => to === 'parted' || name < PARTING);
  const began = performance.now();
  await asOwner(url, async (client) =>
    applyAll({ client, ownerUrl: url, installation: TEST_INSTALLATION, found: await lookAtDatabase(client) }, migrations),
  );
  return Math.round(performance.now() - began);
};
