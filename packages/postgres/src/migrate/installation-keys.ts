import pg from 'pg';

/** The key of the installation as it is kept: wrapped, and by what. */
export type WrappedKey = {
  /** Of the master key, or of what a command made of it. */
  readonly id: string;
  readonly kind: 'KEY' | 'COMMAND';
  readonly wrapped: Buffer;
};

/** One that was made: who did, and what became of it. */
export type KeptKey = {
  readonly id: string;
  readonly kind: WrappedKey['kind'];
  /** Undefined once the master key is retired. */
  readonly wrapped: Buffer | undefined;
  readonly made_at: string;
  readonly made_by: string;
  readonly reason: string;
  readonly retired_at: string | undefined;
  readonly retired_by: string | undefined;
};

export type KeptKeys = {
  /** Empty: nothing was set up. Direct: every key comes from the master key itself, and nothing is wrapped. */
  readonly state: 'empty' | 'direct' | 'wrapped';
  /** In the order in which they were made. */
  readonly keys: readonly KeptKey[];
  /** By which the right key is known; undefined where it is not kept. */
  readonly installation: { readonly id: string; readonly key_check: string } | undefined;
  /** Whether what a former master key opened can be marked; a schema of before cannot. */
  readonly canMark?: boolean;
};

const TIMEOUT_MS = 10_000;
/** Of a table that is written anew. */
const WRITE_ANEW_MS = 600_000;
/** At a start, which goes on without it. */
const AT_START = { lockMs: 1_000, statementMs: 30_000 };
/** So that of two that change the master key at once one waits for the other. */
const KEYS_LOCK = 7_201_130_197;

const LOOK = `
  select to_regclass('public.schema_migrations') is not null as is_set_up, to_regclass('public.installation_keys') is not null as has_keys,
         (select count(*) = 2 from pg_attribute where attrelid = to_regclass('public.installation') and attname in ('id', 'key_check')) as is_known,
         exists (select from pg_attribute where attrelid = to_regclass('public.installation') and attname = 'former_since') as can_mark`;
const KEYS = `select id, kind, wrapped, to_char(made_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as made_at, made_by, reason,
                     to_char(retired_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as retired_at, retired_by
                from public.installation_keys kept order by kept.made_at, id`;

type Look = { readonly is_set_up: boolean; readonly is_known: boolean; readonly has_keys: boolean; readonly can_mark: boolean };
type Row = { [Name in keyof KeptKey]: KeptKey[Name] | (undefined extends KeptKey[Name] ? null : never) };

const keptOf = (row: Row): KeptKey => ({
  ...row,
  wrapped: row.wrapped ?? undefined,
  retired_at: row.retired_at ?? undefined,
  retired_by: row.retired_by ?? undefined,
});

/** What is kept of the key of the installation, and of master keys. Changes nothing; a database of somebody else's is no matter here. */
export const lookAtKeys = async (client: pg.ClientBase): Promise<KeptKeys> => {
  const { rows: looks } = await client.query<Look>(LOOK);
  const [look] = looks;
  if (!look?.is_set_up) return { state: 'empty', keys: [], installation: undefined };
  const known = look.is_known
    ? await client.query<{ id: string; key_check: string }>('select id, key_check from public.installation')
    : undefined;
  const keys = look.has_keys ? (await client.query<Row>(KEYS)).rows.map(keptOf) : [];
  return { state: keys.length === 0 ? 'direct' : 'wrapped', keys, installation: known?.rows[0], canMark: look.can_mark };
};

const withClient = async <Result>(url: string, work: (client: pg.Client) => Promise<Result>, statementMs = TIMEOUT_MS): Promise<Result> => {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: statementMs,
    application_name: 'svc keys',
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** The same with the login that the address names: the owner's, or one that may read `installation_keys` and `installation`. */
export const readKeptKeys = (url: string): Promise<KeptKeys> => withClient(url, lookAtKeys);

type Made = { readonly by: string; readonly reason: string };

/** A wrapped key that is new, and who made it. */
export type MadeKey = WrappedKey & Made;

/** Puts a wrapped key beside those that there are; one that is there already is left as it is. */
export const addWrappedKey = async (client: pg.ClientBase, { id, kind, wrapped }: WrappedKey, { by, reason }: Made): Promise<void> => {
  await client.query(
    'insert into public.installation_keys (id, kind, wrapped, made_by, reason) values ($1, $2, $3, $4, $5) on conflict (id) do nothing',
    [id, kind, wrapped, by, reason],
  );
};

/** Puts back what a backup holds of them. */
export const loadKeptKeys = async (client: pg.ClientBase, keys: readonly KeptKey[]): Promise<void> => {
  for (const each of keys)
    await client.query(
      `insert into public.installation_keys (id, kind, wrapped, made_at, made_by, reason, retired_at, retired_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [each.id, each.kind, each.wrapped, each.made_at, each.made_by, each.reason, each.retired_at, each.retired_by],
    );
};

/** Runs `work` with what is kept, in one transaction that no other change of the master key runs beside. */
export const changeKeys = <Result>(ownerUrl: string, work: (client: pg.ClientBase, kept: KeptKeys) => Promise<Result>): Promise<Result> =>
  withClient(ownerUrl, async (client) => {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [KEYS_LOCK]);
    const result = await work(client, await lookAtKeys(client));
    await client.query('commit');
    return result;
  });

/** Says in the same transaction that files of tables hold what a former master key opens, until `forgetFormer` was there. */
export const markFormer = async (client: pg.ClientBase): Promise<void> => {
  await client.query('update public.installation set former_since = clock_timestamp()');
};

/** Takes away what these master keys opened; that they were there is kept. */
export const retireKeys = async (client: pg.ClientBase, ids: readonly string[], by: string): Promise<void> => {
  await client.query(
    `update public.installation_keys set wrapped = null, retired_at = clock_timestamp(), retired_by = $2
      where id = any ($1) and retired_at is null`,
    [ids, by],
  );
  await markFormer(client);
};

const markOf = async (client: pg.ClientBase): Promise<string | undefined> => {
  const { rows } = await client.query<{ mark: string | null }>('select former_since::text as mark from public.installation');
  return rows[0]?.mark ?? undefined;
};

type Patience = { readonly lockMs: number; readonly statementMs: number };

const writeAnew = async (client: pg.ClientBase, tables: readonly string[], { lockMs, statementMs }: Patience): Promise<void> => {
  const mark = await markOf(client);
  await client.query(`set lock_timeout = ${lockMs}; set statement_timeout = ${statementMs}`);
  for (const name of tables) await client.query(`vacuum (full) ${pg.escapeIdentifier(name)}`);
  // A change that came in meanwhile has another mark, and its own end.
  await client.query('update public.installation set former_since = null where former_since = $1::timestamptz', [mark]);
};

/** Writes tables anew, one after another, so that no file of theirs holds what stood in them before. Waits for none that is held for long. */
export const forgetFormer = (ownerUrl: string, tables: readonly string[]): Promise<void> =>
  withClient(ownerUrl, (client) => writeAnew(client, tables, { lockMs: TIMEOUT_MS, statementMs: WRITE_ANEW_MS }), WRITE_ANEW_MS);

/** The same at a start, where the mark is there, and for a short time. Answers why it is there still; undefined where it is not. */
export const finishForgetting = (ownerUrl: string, tables: readonly string[]): Promise<string | undefined> =>
  withClient(
    ownerUrl,
    async (client) => {
      if ((await markOf(client)) === undefined) return undefined;
      try {
        await writeAnew(client, tables, AT_START);
        return undefined;
      } catch (error) {
        if (error instanceof pg.DatabaseError) return error.message;
        throw error;
      }
    },
    WRITE_ANEW_MS,
  );
