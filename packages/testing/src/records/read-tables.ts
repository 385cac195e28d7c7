import type pg from 'pg';

/** Every table with the number of its rows and a digest of all they hold. */
export type TableContents = Readonly<Record<string, string>>;

/** When a credential was last used is noted at any request, refused ones included. */
const NOTED = ['last_used_at', 'last_used_from'];

/** What a job notes of a mail while it sends it. */
const SENT = ['sealed', 'state', 'attempts', 'failure', 'due_at', 'started_at', 'ended_at'];

/** Where jobs keep how far they have come: they go on by the clock, whatever is asked meanwhile. */
const PLACES_OF_JOBS = ['audit_partition_checks', 'unreported_marks'];

/** What a database holds but for the places of its jobs, read by its owner: two readings are equal only when nothing was stored, changed or deleted between them. */
export const readTables = async (owner: pg.Client): Promise<TableContents> => {
  const { rows: tables } = await owner.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and not tablename = any($1) order by tablename",
    [PLACES_OF_JOBS],
  );
  const contents: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await owner.query<{ contents: string }>(
      `select count(*) || ' rows, ' || coalesce(sum(hashtextextended((to_jsonb(t) - $1::text[])::text, 0)::numeric), 0) as contents from ${name} t`,
      [name === 'mails' ? [...NOTED, ...SENT] : NOTED],
    );
    contents[name] = rows[0]?.contents ?? '';
  }
  return contents;
};
