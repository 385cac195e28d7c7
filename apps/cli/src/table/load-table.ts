import { fileURLToPath } from 'node:url';
import { readIfPresent } from '../files/json-file.ts';
import type { CommandRow } from './command-table.ts';

/**
 * The table of commands. The built program reads it from a file, so that it starts without the schemas of the contract; run from its sources,
 * it derives the table from the rows.
 */
export const loadTable = async (): Promise<readonly CommandRow[]> => {
  const built = readIfPresent(fileURLToPath(new URL('./commands.json', import.meta.url)));
  if (built !== undefined) return JSON.parse(built) as readonly CommandRow[];
  const source = new URL('./derive-table.ts', import.meta.url).href;
  const { deriveTable } = (await import(source)) as typeof import('./derive-table.ts');
  return deriveTable();
};
