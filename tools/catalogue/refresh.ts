import { parseArgs } from 'node:util';
import { findEntryFaults } from '@svc/catalogue/entry-faults.ts';
import type { CatalogueEntry } from '@svc/contract/tools/catalogue-entry.ts';
import { CatalogueFailure, readDocument } from './read-document.ts';
import { refreshEntry } from './refresh-entry.ts';
import { getRequiredWord, readOrigin, runFailuresPrinted, writeProposal } from './words.ts';

const USAGE = `Compares an entry with a newer document of its vendor, and writes a proposal:

    npm run catalogue -- refresh ENTRY_FILE --older FILE --newer FILE
                                          (--package NAME@VERSION | --repository OWNER/NAME --commit SHA) --out FILE

The older document is the one whose hash the entry states. Ends with 1 if a person has to decide something.`;

await runFailuresPrinted(USAGE, () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ older: { type: 'string' }, newer: { type: 'string' }, out: { type: 'string' } },
      ...{ package: { type: 'string' }, repository: { type: 'string' }, commit: { type: 'string' } },
    },
  });
  const file = getRequiredWord('ENTRY_FILE', positionals[0]);
  const value: unknown = readDocument(file).root;
  if (findEntryFaults(value).length > 0) throw new CatalogueFailure(`${file} is no entry of the catalogue. See catalogue check.`);
  const [older, newer] = [getRequiredWord('--older', values.older), getRequiredWord('--newer', values.newer)].map(readDocument);
  const out = getRequiredWord('--out', values.out);
  if (older === undefined || newer === undefined) return;
  const { entry, differences } = refreshEntry(value as CatalogueEntry, { older, newer, origin: readOrigin(values) });
  for (const { kind, action, message } of differences) console.log(`${kind} ${action}: ${message}`);
  writeProposal(out, entry);
  const open = differences.filter(({ kind }) => kind === 'CONFLICT' || kind === 'GONE').length;
  console.log(`${differences.length} differences, ${open} of them to decide. The proposal is in ${out}.`);
  if (open > 0) process.exitCode = 1;
});
