import { parseArgs } from 'node:util';
import { type DocumentOrigin, draftEntry } from './draft-entry.ts';
import { readDocument } from './read-document.ts';
import { getRequiredWord, readOrigin, runFailuresPrinted, writeProposal } from './words.ts';

const USAGE = `Writes a proposal for an entry from a vendor's document of OpenAPI 3:

    npm run generate -- catalogue draft KEY --document FILE --operation WORD... --licence WORDS --path PATH
                                           (--package NAME@VERSION | --repository OWNER/NAME --commit SHA) --out FILE

WORD is an operationId, or a method and a path: "GET /items/{id}". A person fills in names, effects and risk.`;

await runFailuresPrinted(USAGE, () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...{
        document: { type: 'string' },
        operation: { type: 'string', multiple: true },
        licence: { type: 'string' },
        path: { type: 'string' },
      },
      ...{ package: { type: 'string' }, repository: { type: 'string' }, commit: { type: 'string' }, out: { type: 'string' } },
    },
  });
  const [key] = positionals;
  const origin: DocumentOrigin = {
    ...readOrigin(values),
    path: getRequiredWord('--path', values.path),
    licence: getRequiredWord('--licence', values.licence),
  };
  const words = values.operation ?? [];
  getRequiredWord('--operation', words[0]);
  const document = readDocument(getRequiredWord('--document', values.document));
  const { entry, notes } = draftEntry(getRequiredWord('KEY', key), document, words, origin);
  writeProposal(getRequiredWord('--out', values.out), entry);
  for (const note of notes) console.log(note);
  console.log(`${entry.actions.length} actions. Fill in name, category, summary, and of each action name, side_effects and risk.`);
});
