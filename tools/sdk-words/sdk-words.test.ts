import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { getPythonWordsOfContract, getWordsOfContract, PYTHON_WORDS_FILE, WORDS_FILE } from './words-of-contract.ts';

test('the words of the Python client are those of the contract', () => {
  assert.equal(readFileSync(resolve(import.meta.dirname, '../..', PYTHON_WORDS_FILE), 'utf8'), getPythonWordsOfContract());
});

test('the own words of the published client are those of the contract: npm run generate -- sdk:words writes them again', () => {
  assert.equal(readFileSync(resolve(import.meta.dirname, '../..', WORDS_FILE), 'utf8'), getWordsOfContract());
});
