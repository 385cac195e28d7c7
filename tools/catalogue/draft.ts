import { parseArgs } from 'node:util';
import { type DocumentOrigin, draftEntry } from './draft-entry.ts';
import { CatalogueFailure, readDocument } from './read-document.ts';
import { getRequiredWord, readOrigin, runFailuresPrinted, writeProposal } from './words.ts';

const USAGE = `Writes a proposal for an entry from a vendor's document of OpenAPI 3, or from a GraphQL schema:

    npm run catalogue -- draft KEY --document FILE --operation WORD... --licence WORDS --path PATH
                                           (--package NAME@VERSION | --repository OWNER/NAME --commit SHA) --out FILE

WORD is an operationId, or a method and a path: "GET /items/{id}". With --url, the https address of a GraphQL service, the
document is its schema, and WORD a field: Query.items. A person fills in names, effects and risk.`;

const readUrl = (word: string): string => {
  if (URL.canParse(word) && new URL(word).protocol === 'https:') return word;
  throw new CatalogueFailure('--url must be an https address.');
};

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
      url: { type: 'string' },
    },
  });
  const [key] = positionals;
  const origin: DocumentOrigin = {
    ...readOrigin(values),
    path: getRequiredWord('--path', values.path),
    licence: getRequiredWord('--licence', values.licence),
    ...(values.url === undefined ? {} : { url: readUrl(values.url) }),
  };
  const words = values.operation ?? [];
  getRequiredWord('--operation', words[0]);
  const document = readDocument(getRequiredWord('--document', values.document));
  const { entry, notes } = draftEntry(getRequiredWord('KEY', key), document, words, origin);
  writeProposal(getRequiredWord('--out', values.out), entry);
  for (const note of notes) console.log(note);
  console.log(`${entry.actions.length} actions. Fill in name, category, summary, and of each action name, side_effects and risk.`);
});
