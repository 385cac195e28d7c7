import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { migratedTables } from './migrated-tables.ts';
import { TABLES_FILE, tablesText } from './tables-text.ts';

/** npm run tables: writes the types of all tables after what the migrations make. */
writeFileSync(resolve(import.meta.dirname, '../..', TABLES_FILE), tablesText(await migratedTables()));
