import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { serviceActions } from '@svc/catalogue/describe-application.ts';
import { findEntryFaults } from '@svc/catalogue/entry-faults.ts';
import { readApplications } from '@svc/catalogue/read-applications.ts';
import type { CatalogueEntry } from '@svc/contract/tools/catalogue-entry.ts';
import { checkDocuments } from './check-documents.ts';
import { CatalogueFailure, readDocuments, readText } from './read-document.ts';
import { runFailuresPrinted } from './words.ts';

const USAGE = `Checks the entries of the catalogue, and their actions against the documents of a folder:

    npm run catalogue -- check [--folder FOLDER] [--documents FOLDER]

A document is found by its hash, so that its name is free.`;

const APPLICATIONS = join(import.meta.dirname, '../../packages/catalogue/src/applications');

type Complaint = { readonly file: string; readonly text: string };
type ReadEntry = { readonly file: string; readonly entry: CatalogueEntry };

const parse = (path: string): unknown => {
  try {
    return JSON.parse(readText(path).toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new CatalogueFailure(`${path} is no JSON.`);
    throw error;
  }
};

const readEntries = (folder: string, complain: (file: string, pointer: string, message: string) => void): readonly ReadEntry[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const value = parse(join(folder, file));
      const faults = findEntryFaults(value);
      for (const { pointer, message } of faults) complain(file, pointer, message);
      return faults.length > 0 ? [] : [{ file, entry: value as CatalogueEntry }];
    });

/** Keys and names are unique over all entries, including those that are known by their automation node only. */
const checkNames = (
  entries: readonly ReadEntry[],
  others: readonly CatalogueEntry[],
  complain: (file: string, pointer: string, message: string) => void,
): void => {
  for (const { file, entry } of entries) {
    if (basename(file, '.json') !== entry.key) complain(file, '/key', `is ${entry.key}, so the file must be ${entry.key}.json`);
    const all = [...entries.map((each) => each.entry), ...others].filter((each) => each !== entry);
    if (all.some(({ key }) => key === entry.key)) complain(file, '/key', 'is the key of another entry');
    if (all.some(({ name }) => name.toLowerCase() === entry.name.toLowerCase())) complain(file, '/name', 'is the name of another entry');
  }
};

const countReasons = (entries: readonly CatalogueEntry[]): string => {
  const counts = new Map<string, number>();
  for (const { actions } of entries)
    for (const action of actions) if (action.performed_by === 'PLATFORM') counts.set(action.reason, (counts.get(action.reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => `${reason} ${count}`).join(', ');
};

await runFailuresPrinted(USAGE, () => {
  const { values } = parseArgs({ options: { folder: { type: 'string' }, documents: { type: 'string' } } });
  const complaints: Complaint[] = [];
  const complain = (file: string, pointer: string, message: string): void =>
    void complaints.push({ file, text: `${pointer || '/'} ${message}` });
  const entries = readEntries(values.folder ?? APPLICATIONS, complain);
  const known = [...readApplications().values()].filter((entry) => serviceActions(entry).length === 0);
  checkNames(entries, known, complain);
  const wanted = new Set(entries.flatMap(({ entry }) => entry.sources.map(({ sha256 }) => sha256)));
  const documents = values.documents === undefined ? new Map() : readDocuments(values.documents, wanted);
  const checks = entries.map(({ file, entry }) => ({ file, ...checkDocuments(entry, documents) }));
  for (const { file, faults } of checks) for (const { pointer, message } of faults) complain(file, pointer, message);
  const reviewed = entries.reduce((sum, { entry }) => sum + serviceActions(entry).length, 0);
  const checked = checks.reduce((sum, each) => sum + each.checked, 0);
  for (const { file, text } of complaints) console.error(`${file}: ${text}`);
  console.log(
    `${entries.length} applications with ${reviewed} reviewed actions; ${known.length} applications of the automation platform alone.`,
  );
  console.log(`Performed by the platform, by reason: ${countReasons([...entries.map(({ entry }) => entry), ...known]) || 'none'}.`);
  console.log(`${checked} of ${reviewed} actions compared with ${documents.size} of ${wanted.size} documents.`);
  if (complaints.length > 0) process.exitCode = 1;
});
