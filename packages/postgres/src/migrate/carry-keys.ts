import pg from 'pg';
import { DATABASE_ROLES } from '../connection/connect.ts';
import type { Installation } from './installation.ts';
import { addWrappedKey, type MadeKey, markFormer } from './installation-keys.ts';
import { asOwner } from './migrate.ts';

export type SealedRow = Readonly<Record<string, string>>;

/** A column of sealed values, and the key of its rows. */
export type ColumnToCarry = {
  readonly table: string;
  readonly column: string;
  readonly rowBy: readonly string[];
  readonly anew: (row: SealedRow, sealed: Buffer) => Buffer;
};

export type Carrying = {
  /** The database's current installation, and the new one. */
  readonly from: Installation;
  readonly to: Installation;
  readonly made: MadeKey;
  readonly columns: readonly ColumnToCarry[];
};

/** Rows held in memory at once. */
const GROUP_ROWS = 500;

/** Returns true if a plane has a session in this database. */
const isInUse = async (client: pg.ClientBase, { loginOf }: Installation): Promise<boolean> => {
  const { rows } = await client.query('select from pg_stat_activity where datname = current_database() and usename = any ($1) limit 1', [
    DATABASE_ROLES.map((role) => loginOf(role).user),
  ]);
  return rows.length > 0;
};

const told = (name: string): string =>
  `case pg_typeof(${name})::text when 'bytea' then encode(${name}::text::bytea, 'hex') else ${name}::text end`;

const carryColumn = async (client: pg.ClientBase, { table, column, rowBy, anew }: ColumnToCarry): Promise<void> => {
  const names = rowBy.map((name) => `${told(name)} as ${name}`).join(', ');
  await client.query(
    `declare carried no scroll cursor for select ctid::text as at, ${column} as sealed, ${names} from ${table} where ${column} is not null`,
  );
  for (;;) {
    const { rows } = await client.query<SealedRow & { readonly sealed: Buffer; readonly at: string }>(`fetch ${GROUP_ROWS} from carried`);
    if (rows.length === 0) break;
    for (const { sealed, at, ...row } of rows)
      await client.query(`update ${table} set ${column} = $1 where ctid = $2::tid`, [
        anew(row as SealedRow, sealed as unknown as Buffer),
        at,
      ]);
  }
  await client.query('close carried');
};

const FORCED = `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity and relname = any ($1)`;

const setPasswords = async (client: pg.ClientBase, { loginOf }: Installation): Promise<void> => {
  for (const role of DATABASE_ROLES) {
    const { user, password } = loginOf(role);
    await client.query(`alter role ${pg.escapeIdentifier(user)} password ${pg.escapeLiteral(password)}`);
  }
};

/**
 * Gives a database whose keys are derived from the master key a key of its own: reseals every value, changes the passwords of the roles,
 * and stores the wrapped key, in one transaction. Returns false, without a change, if a plane uses the database, or it has such a key
 * already.
 */
export const carryKeys = (ownerUrl: string, { from, to, made, columns }: Carrying): Promise<boolean> =>
  asOwner(ownerUrl, async (client) => {
    const tables = [...new Set(columns.map(({ table }) => table))];
    if (await isInUse(client, from)) return false;
    await client.query(`lock table ${tables.join(', ')} in access exclusive mode`);
    // A session that starts meanwhile waits for the locks, and does not find its keys afterwards.
    const { rows } = await client.query('select from installation_keys');
    if (rows.length > 0 || (await isInUse(client, from))) return false;
    const forced = (await client.query<{ name: string }>(FORCED, [tables])).rows.map(({ name }) => name);
    for (const name of tables) await client.query(`alter table ${name} disable trigger user`);
    for (const name of forced) await client.query(`alter table ${name} no force row level security`);
    for (const column of columns) await carryColumn(client, column);
    for (const name of forced) await client.query(`alter table ${name} force row level security`);
    for (const name of tables) await client.query(`alter table ${name} enable trigger user`);
    await client.query('update installation set key_check = $1', [to.keyCheck]);
    await setPasswords(client, to);
    await addWrappedKey(client, made, made);
    await markFormer(client);
    return true;
  });
