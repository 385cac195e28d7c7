import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { TEST_INSTALLATION } from './master-key.ts';

const postgresRoom = new URL('../../../postgres/', import.meta.url);

/** Contains a hash of the migrations, so that an edited one never yields an outdated database. */
const templateName = (): string => {
  const migrations = readdirSync(new URL('migrations/', postgresRoom)).sort();
  const digest = createHash('sha256').update(TEST_INSTALLATION.keyCheck);
  const steps = readdirSync(new URL('src/migrate/', postgresRoom))
    .filter((name) => !name.endsWith('.test.ts'))
    .sort();
  for (const file of [...steps.map((name) => `src/migrate/${name}`), ...migrations.map((name) => `migrations/${name}`)]) {
    digest.update(file).update(readFileSync(new URL(file, postgresRoom)));
  }
  return `template_${digest.digest('hex').slice(0, 16)}`;
};

const withDatabase = (url: string, name: string): string => {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
};

const databases = async (session: pg.Client, like: string): Promise<string[]> =>
  (await session.query<{ datname: string }>('select datname from pg_database where datname like $1', [like])).rows.map(
    (row) => row.datname,
  );

/** Drops databases of killed processes, and templates of changed migrations. Only while the server is unused. */
export const dropLeftovers = async (session: pg.Client): Promise<void> => {
  const current = templateName();
  const names = [...(await databases(session, 'test\\_%')), ...(await databases(session, 'template\\_%'))];
  for (const name of names) if (name !== current) await session.query(`drop database if exists ${name} with (force)`);
};

/** In memory the files are copied, for a tenth of the work; on a disk the checkpoint that this requires would block others. */
const STRATEGY = process.env.TEST_DATA_DIR === undefined ? 'wal_log' : 'file_copy';

/** Serializes building and cloning: a template in use cannot be copied. */
const CLONE_LOCK = 7_201_130_902;

/** Clones a database from the migrated template, which the first caller builds. */
export const cloneTemplate = async (session: pg.Client, url: string, name: string): Promise<string> => {
  await session.query('select pg_advisory_lock($1)', [CLONE_LOCK]);
  try {
    const template = templateName();
    if ((await databases(session, template)).length === 0) {
      const unfinished = `${template}_unfinished`;
      await session.query(`drop database if exists ${unfinished} with (force)`);
      await session.query(`create database ${unfinished}`);
      // Loaded on demand: it brings hundreds of modules, and most test files find the template built.
      const { migrate } = await import('@svc/postgres/migrate/migrate.ts');
      await migrate(withDatabase(url, unfinished), TEST_INSTALLATION);
      await session.query(`alter database ${unfinished} rename to ${template}`);
    }
    await session.query(`create database ${name} template ${template} strategy ${STRATEGY}`);
    return withDatabase(url, name);
  } finally {
    await session.query('select pg_advisory_unlock($1)', [CLONE_LOCK]);
  }
};
