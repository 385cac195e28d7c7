import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { WORDS_FILE, wordsOfContract } from './words-of-contract.ts';

/** npm run sdk:words: writes what the published client says after the contract. */
writeFileSync(resolve(import.meta.dirname, '../..', WORDS_FILE), wordsOfContract());
