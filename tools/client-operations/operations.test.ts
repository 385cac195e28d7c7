import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { formatOperations, OPERATIONS_FILE } from './operations-text.ts';

test('the client has a method for every operation of the contract (npm run generate -- client:operations updates it)', () => {
  assert.equal(readFileSync(resolve(import.meta.dirname, '../..', OPERATIONS_FILE), 'utf8'), formatOperations());
});
