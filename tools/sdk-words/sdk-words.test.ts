import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { WORDS_FILE, wordsOfContract } from './words-of-contract.ts';

test('the words that the published client has of its own are those of the contract: npm run generate -- sdk:words writes them anew', () => {
  assert.equal(readFileSync(resolve(import.meta.dirname, '../..', WORDS_FILE), 'utf8'), wordsOfContract());
});
