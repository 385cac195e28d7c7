import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { getMigratedTables } from './migrated-tables.ts';
import { formatTables, TABLES_FILE } from './tables-text.ts';

/**
 * npm run generate -- tables
 *
 * Writes the types of all tables from the migrated schema.
 */
endOnOtherWords(
  `Writes the types of all tables after what the migrations make:

    npm run generate -- tables`,
);
writeFileSync(resolve(import.meta.dirname, '../..', TABLES_FILE), formatTables(await getMigratedTables()));
