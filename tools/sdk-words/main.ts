import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { getPythonWordsOfContract, getWordsOfContract, PYTHON_WORDS_FILE, WORDS_FILE } from './words-of-contract.ts';

/**
 * npm run generate -- sdk:words
 *
 * Writes the published client's copy of the contract's words.
 */
endOnOtherWords(
  `Writes what the published client says after the contract:

    npm run generate -- sdk:words`,
);
writeFileSync(resolve(import.meta.dirname, '../..', WORDS_FILE), getWordsOfContract());
writeFileSync(resolve(import.meta.dirname, '../..', PYTHON_WORDS_FILE), getPythonWordsOfContract());
