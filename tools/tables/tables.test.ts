import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { getMigratedTables } from './migrated-tables.ts';
import { formatTables, TABLES_FILE } from './tables-text.ts';

test('the types of the tables are those of a migrated database: npm run generate -- tables writes them again', async () => {
  assert.equal(readFileSync(resolve(import.meta.dirname, '../..', TABLES_FILE), 'utf8'), formatTables(await getMigratedTables()));
});
