import type { OperationName } from '../client-types.ts';
import { OPERATIONS } from '../operations.ts';
import { CHOSEN_NAMES, NO_COMMANDS, NOUN_BY_SEGMENT } from './command-names.ts';

/** Turns a name in camel case or snake case into lower-case words with hyphens. */
export const kebab = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/s$/, '');

type Row = { readonly plane: string; readonly path: string; readonly wire?: string };
const ROWS: Readonly<Record<OperationName, Row>> = OPERATIONS;

/** True for an operation that a person can call from a terminal: none of the gateway, of a directory or of a browser's sign-in. */
export const isCommand = (operation: OperationName): boolean =>
  ROWS[operation].plane === 'control' && ROWS[operation].wire !== 'scim' && !(operation in NO_COMMANDS);

/** The words of a command: chosen, or from the path and the name of the operation. */
const ownWords = (operation: OperationName): readonly string[] => {
  const chosen = CHOSEN_NAMES[operation];
  if (chosen !== undefined) return chosen.split(' ');
  const segment = ROWS[operation].path.split('/').find((each) => each !== '' && each !== 'v1' && !each.startsWith('{')) ?? 'service';
  const noun = NOUN_BY_SEGMENT[segment] ?? segment;
  const known = new Set([segment, noun].flatMap((word) => word.split('-')).flatMap((word) => [word, singular(word)]));
  const [verb = operation, ...rest] = kebab(operation).split('-');
  return [noun, [verb, ...rest.filter((word) => !known.has(word) && !known.has(singular(word)))].join('-')];
};

/** How many commands share the same words. */
const countWords = (): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const operation of (Object.keys(OPERATIONS) as OperationName[]).filter(isCommand)) {
    const words = ownWords(operation).join(' ');
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return counts;
};
let counts: ReadonlyMap<string, number> | undefined;

/** The words of the command of an operation, without `svc`. Two operations of one name get their own full names. */
export const formatCommandWords = (operation: OperationName): readonly string[] => {
  counts ??= countWords();
  const words = ownWords(operation);
  const isShared = (counts.get(words.join(' ')) ?? 0) > 1 && !(operation in CHOSEN_NAMES);
  return isShared ? [words[0] ?? 'service', kebab(operation)] : words;
};
