import type pg from 'pg';
import { writingsOf } from './find-canaries.ts';

/** In which spellings a secret stands in any row of these tables, in columns of bytes too: in none where it is kept as a hash. */
export const spellingsKept = async (owner: pg.Client, tables: readonly string[], secret: string): Promise<string[]> => {
  const rows = await Promise.all(tables.map(async (table) => (await owner.query(`select t::text as row from ${table} t`)).rows));
  const text = rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
  return writingsOf(secret).filter((written) => text.includes(written));
};
