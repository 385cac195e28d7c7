import pg from 'pg';

/** The stored installation key: wrapped, and by what. */
export type WrappedKey = {
  /** The id of the master key, or of a command's key. */
  readonly id: string;
  readonly kind: 'KEY' | 'COMMAND';
  readonly wrapped: Buffer;
};

/** A created key: its author, and its history. */
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
  /** In order of creation. */
  readonly keys: readonly KeptKey[];
  /** Recognizes the right key; undefined if it is not stored. */
  readonly installation: { readonly id: string; readonly key_check: string } | undefined;
  /** True if the schema can mark what a former master key opened; an older one cannot. */
  readonly canMark?: boolean;
};

const TIMEOUT_MS = 10_000;
/** Timeout of rewriting a table. */
const WRITE_ANEW_MS = 600_000;
/** At a start, which goes on without it. */
const AT_START = { lockMs: 1_000, statementMs: 30_000 };
/** Serializes concurrent changes of the master key. */
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

/** Returns the stored keys of the installation and of master keys. Changes nothing; the owner of the database does not matter here. */
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

/** The same with the login in the address: the owner's, or one that may read `installation_keys` and `installation`. */
export const readKeptKeys = (url: string): Promise<KeptKeys> => withClient(url, lookAtKeys);

type Made = { readonly by: string; readonly reason: string };

/** A new wrapped key, and its author. */
export type MadeKey = WrappedKey & Made;

/** Adds a wrapped key to the existing ones; a duplicate is left unchanged. */
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

/** Runs `work` with the stored keys, in one transaction, serialized with other changes of the master key. */
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

/** Deletes the keys wrapped by these master keys; that they existed is kept. */
export const retireKeys = async (client: pg.ClientBase, ids: readonly string[], by: string): Promise<void> => {
  await client.query(
    `update public.installation_keys set wrapped = null, retired_at = clock_timestamp(), retired_by = $2
      where id = any ($1) and retired_at is null`,
    [ids, by],
  );
  await markFormer(client);
};

const readMark = async (client: pg.ClientBase): Promise<string | undefined> => {
  const { rows } = await client.query<{ mark: string | null }>('select former_since::text as mark from public.installation');
  return rows[0]?.mark ?? undefined;
};

type Patience = { readonly lockMs: number; readonly statementMs: number };

const writeAnew = async (client: pg.ClientBase, tables: readonly string[], { lockMs, statementMs }: Patience): Promise<void> => {
  const mark = await readMark(client);
  await client.query(`set lock_timeout = ${lockMs}; set statement_timeout = ${statementMs}`);
  for (const name of tables) await client.query(`vacuum (full) ${pg.escapeIdentifier(name)}`);
  // A change that came in meanwhile has another mark, and its own end.
  await client.query('update public.installation set former_since = null where former_since = $1::timestamptz', [mark]);
};

/** Rewrites tables, one after another, so that none of their files contains earlier values. Does not wait long for locks. */
export const forgetFormer = (ownerUrl: string, tables: readonly string[]): Promise<void> =>
  withClient(ownerUrl, (client) => writeAnew(client, tables, { lockMs: TIMEOUT_MS, statementMs: WRITE_ANEW_MS }), WRITE_ANEW_MS);

/** The same at a start, if the mark is set, and for a short time. Returns why the mark is still set; undefined if it is not. */
export const finishForgetting = (ownerUrl: string, tables: readonly string[]): Promise<string | undefined> =>
  withClient(
    ownerUrl,
    async (client) => {
      if ((await readMark(client)) === undefined) return undefined;
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
