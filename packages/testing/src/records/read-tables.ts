import { hash } from 'node:crypto';
import type pg from 'pg';
import { LEASED_AT } from '../database/database.ts';

/** Row count and digest of every table. */
export type TableContents = Readonly<Record<string, string>>;

/** Last use of a credential, which any request records, including refused ones. */
const NOTED = ['last_used_at', 'last_used_from'];

/** Columns that a job writes while it sends a mail. */
const SENT = ['sealed', 'state', 'attempts', 'failure', 'due_at', 'started_at', 'ended_at'];

/** Positions of jobs, which advance by the clock. */
const PLACES_OF_JOBS = ['audit_partition_checks', 'unreported_marks'];

/**
 * Every version of a row has a position and a transaction of its own, which reveal any change; columns that may change are left out of a
 * row's text.
 */
const computeDigest = (name: string, noted: boolean): string => {
  if (name === 'mails') return `(to_jsonb(t) - array['${[...NOTED, ...SENT].join("', '")}'])::text`;
  return noted ? `(to_jsonb(t) - array['${NOTED.join("', '")}'])::text` : 'ctid::text || xmin::text';
};

type Table = { readonly name: string; readonly noted: boolean; readonly owned: boolean };

/** Rows of earlier files in leased planes still expire by the clock: a passport or an approval. */
const OF_THIS_FILE = `(t.organization_id is null or not exists (
  select from organizations o where o.id = t.organization_id and o.created_at < current_setting('${LEASED_AT}', true)::timestamptz))`;

const tablesOf = async (owner: pg.Client): Promise<Table[]> => {
  const { rows } = await owner.query(
    `select relname as name, exists (select from pg_attribute where attrelid = c.oid and attname = any($1) and not attisdropped) as noted,
            exists (select from pg_attribute where attrelid = c.oid and attname = 'organization_id' and not attisdropped) as owned
       from pg_class c where relkind = 'r' and relnamespace = 'public'::regnamespace and not relname = any($2) order by relname`,
    [NOTED, PLACES_OF_JOBS],
  );
  return rows;
};

/**
 * Reads a database except for the positions of its jobs and organizations from before the lease, as its owner: two readings are equal only
 * if nothing was stored, changed or deleted between them.
 */
export const readTables = async (owner: pg.Client): Promise<TableContents> => {
  const each = (await tablesOf(owner)).map(
    ({ name, noted, owned }) =>
      `select '${name}' as name, count(*) || ' rows, ' || coalesce(sum(hashtextextended(${computeDigest(name, noted)}, 0)::numeric), 0) as contents
         from ${name} t where ${owned ? OF_THIS_FILE : 'true'}`,
  );
  const text = each.join('\nunion all ');
  // A named statement, which is planned once for a connection that runs it often.
  const { rows } = await owner.query<{ name: string; contents: string }>({ name: hash('md5', text), text });
  return Object.fromEntries(rows.map(({ name, contents }) => [name, contents]));
};
