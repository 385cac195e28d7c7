import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { formatOperations, OPERATIONS_FILE } from './operations-text.ts';

endOnOtherWords(
  `Writes the client's table of operations from the contract:

    npm run generate -- client:operations`,
);
writeFileSync(resolve(import.meta.dirname, '../..', OPERATIONS_FILE), formatOperations());
