import type pg from 'pg';
import { listEncodings } from './find-canaries.ts';

/** Returns the encodings of a secret that occur in rows of these tables, including binary columns: none if it is stored as a hash. */
export const getSpellingsKept = async (owner: pg.Client, tables: readonly string[], secret: string): Promise<string[]> => {
  const rows = await Promise.all(tables.map(async (table) => (await owner.query(`select t::text as row from ${table} t`)).rows));
  const text = rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
  return listEncodings(secret).filter((written) => text.includes(written));
};
