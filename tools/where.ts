import { resolve } from 'node:path';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { AREAS } from '@svc/contract/tables/areas.ts';
import { getNounFiles, getNouns, type Noun } from './noun-files.ts';
import { readTree } from './tree.ts';
import { getMeaning, type Meaning } from './where-word.ts';

const USAGE = `Lists the files of a noun in every package, in the order of the walk:

    npm run where -- delegations       a noun, in either number
    npm run where -- inviteMember      the noun of an operation, also as invite-member
    npm run where -- people            the nouns of an area, and its folders
    npm run where -- replay            all files and folders with that name`;

const tree = readTree(resolve(import.meta.dirname, '..'));
const nouns = getNouns(tree, ENDPOINTS);
const listed = (paths: readonly string[]): string => paths.map((path) => `  ${path}`).join('\n');

const describeNoun = (one: Noun): string => {
  const steps = getNounFiles(tree, one).filter(({ paths }) => paths.length > 0);
  return [`${one.noun}, of the area ${one.area}`, ...steps.map(({ title, paths }) => `${title}\n${listed(paths)}`)].join('\n\n');
};

const describeMeaning = (word: string, meaning: Meaning): string => {
  if (meaning.kind === 'nouns') return meaning.nouns.map(describeNoun).join('\n\n');
  if (meaning.kind === 'files') return `${word} is not a noun of the API; files and folders with that name\n\n${listed(meaning.paths)}`;
  const has = meaning.nouns.length === 0 ? 'nothing yet' : meaning.nouns.map(({ noun }) => noun).join(', ');
  return [`${word}, an area. Its nouns: ${has}`, `folders\n${listed(meaning.folders)}`].join('\n\n');
};

const run = ([subject = '', ...more]: readonly string[]): number => {
  if (subject === '--help' || subject === '-h') {
    console.log(USAGE);
    return 0;
  }
  if (subject.startsWith('-') || more.length > 0) {
    console.error(`${[subject, ...more].join(' ')} is not recognized.\n\n${USAGE}`);
    return 2;
  }
  const meaning = subject === '' ? undefined : getMeaning({ tree, nouns, areas: AREAS }, subject);
  if (meaning === undefined) {
    console.error(
      `${subject === '' ? 'Name a noun' : `There is no noun ${subject}`}. There are ${nouns.map(({ noun }) => noun).join(', ')}.`,
    );
    return 1;
  }
  console.log(describeMeaning(subject, meaning));
  return 0;
};

process.exitCode = run(process.argv.slice(2));
