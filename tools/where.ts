import { resolve } from 'node:path';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { AREAS } from '@svc/contract/tables/areas.ts';
import { getNounFiles, getNouns, type Noun } from './noun-files.ts';
import { readTree } from './tree.ts';
import { getMeaning, type Meaning } from './where-word.ts';

const USAGE = `Tells the files of a noun in every room, in the order of the walk:

    npm run where -- delegations       a noun, in either number
    npm run where -- inviteMember      the noun of an operation, also as invite-member
    npm run where -- people            the nouns of an area, and its folders
    npm run where -- replay            whatever files and folders are called so`;

const tree = readTree(resolve(import.meta.dirname, '..'));
const nouns = getNouns(tree, ENDPOINTS);
const listed = (paths: readonly string[]): string => paths.map((path) => `  ${path}`).join('\n');

const tellNoun = (one: Noun): string => {
  const steps = getNounFiles(tree, one).filter(({ paths }) => paths.length > 0);
  return [`${one.noun}, of the area ${one.area}`, ...steps.map(({ title, paths }) => `${title}\n${listed(paths)}`)].join('\n\n');
};

const tell = (word: string, meaning: Meaning): string => {
  if (meaning.kind === 'nouns') return meaning.nouns.map(tellNoun).join('\n\n');
  if (meaning.kind === 'files') return `${word} is no noun that is asked for over HTTP; these are called so\n\n${listed(meaning.paths)}`;
  const has = meaning.nouns.length === 0 ? 'nothing yet' : meaning.nouns.map(({ noun }) => noun).join(', ');
  return [`${word}, an area. Its nouns: ${has}`, `folders\n${listed(meaning.folders)}`].join('\n\n');
};

const run = ([asked = '', ...more]: readonly string[]): number => {
  if (asked === '--help' || asked === '-h') {
    console.log(USAGE);
    return 0;
  }
  if (asked.startsWith('-') || more.length > 0) {
    console.error(`${[asked, ...more].join(' ')} is not recognized.\n\n${USAGE}`);
    return 2;
  }
  const meaning = asked === '' ? undefined : getMeaning({ tree, nouns, areas: AREAS }, asked);
  if (meaning === undefined) {
    console.error(`${asked === '' ? 'Name a noun' : `There is no noun ${asked}`}. There are ${nouns.map(({ noun }) => noun).join(', ')}.`);
    return 1;
  }
  console.log(tell(asked, meaning));
  return 0;
};

process.exitCode = run(process.argv.slice(2));
