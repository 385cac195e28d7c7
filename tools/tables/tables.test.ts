import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { migratedTables } from './migrated-tables.ts';
import { TABLES_FILE, tablesText } from './tables-text.ts';

test('the types of the tables are those of a migrated database: npm run generate -- tables writes them again', async () => {
  assert.equal(readFileSync(resolve(import.meta.dirname, '../..', TABLES_FILE), 'utf8'), tablesText(await migratedTables()));
});
