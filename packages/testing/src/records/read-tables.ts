import { hash } from 'node:crypto';
import type pg from 'pg';
import { LEASED_AT } from '../database/database.ts';

/** Every table with the number of its rows and a digest of all they hold. */
export type TableContents = Readonly<Record<string, string>>;

/** When a credential was last used is noted at any request, refused ones included. */
const NOTED = ['last_used_at', 'last_used_from'];

/** What a job notes of a mail while it sends it. */
const SENT = ['sealed', 'state', 'attempts', 'failure', 'due_at', 'started_at', 'ended_at'];

/** Where jobs keep how far they have come: they go on by the clock, whatever is asked meanwhile. */
const PLACES_OF_JOBS = ['audit_partition_checks', 'unreported_marks'];

/** Every version of a row has a place and a transaction of its own, so that those tell any change; what may change is left out of a row's text. */
const digestOf = (name: string, noted: boolean): string => {
  if (name === 'mails') return `(to_jsonb(t) - array['${[...NOTED, ...SENT].join("', '")}'])::text`;
  return noted ? `(to_jsonb(t) - array['${NOTED.join("', '")}'])::text` : 'ctid::text || xmin::text';
};

type Table = { readonly name: string; readonly noted: boolean; readonly owned: boolean };

/** What files before this one left in leased planes still ends by the clock, whatever is asked meanwhile: a passport of theirs, an approval. */
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

/** What a database holds but for the places of its jobs and organizations from before it was leased, read by its owner: two readings are equal only when nothing was stored, changed or deleted between them. */
export const readTables = async (owner: pg.Client): Promise<TableContents> => {
  const each = (await tablesOf(owner)).map(
    ({ name, noted, owned }) =>
      `select '${name}' as name, count(*) || ' rows, ' || coalesce(sum(hashtextextended(${digestOf(name, noted)}, 0)::numeric), 0) as contents
         from ${name} t where ${owned ? OF_THIS_FILE : 'true'}`,
  );
  const text = each.join('\nunion all ');
  // By a name, so that it is planned once for a connection that asks it often.
  const { rows } = await owner.query<{ name: string; contents: string }>({ name: hash('md5', text), text });
  return Object.fromEntries(rows.map(({ name, contents }) => [name, contents]));
};
