import { getSingular, type Noun } from './noun-files.ts';
import type { Tree } from './tree.ts';

/** Meaning of a word in this project: nouns, an area of them, or files with such a name. */
export type Meaning =
  | { readonly kind: 'nouns'; readonly nouns: readonly Noun[] }
  | { readonly kind: 'area'; readonly nouns: readonly Noun[]; readonly folders: readonly string[] }
  | { readonly kind: 'files'; readonly paths: readonly string[] };

const listFolders = (tree: Tree, area: string): readonly string[] => [
  ...new Set(tree.paths.flatMap((path) => new RegExp(`^(?:packages|apps)/[^/]+/src/${area}/`).exec(path)?.[0] ?? [])),
];

/** True if a folder or a file of the path has the word as its name, alone or as a prefix. */
const isCalled = (path: string, word: string): boolean =>
  path.split('/').some((part) => part === word || part.startsWith(`${word}.`) || part.startsWith(`${word}-`));

type House = { readonly tree: Tree; readonly nouns: readonly Noun[]; readonly areas: readonly string[] };

/**
 * Looks a word up by noun, singular or plural; by the name of an operation, or its file; by area; and last by file names. Undefined if
 * nothing matches.
 */
export const getMeaning = ({ tree, nouns, areas }: House, word: string): Meaning | undefined => {
  const named = nouns.filter(({ noun }) => noun === word || getSingular(noun) === word);
  if (named.length > 0) return { kind: 'nouns', nouns: named };
  const operation = word.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const having = nouns.filter(({ rows }) => Object.hasOwn(rows, operation));
  if (having.length > 0) return { kind: 'nouns', nouns: having };
  if (areas.includes(word)) return { kind: 'area', nouns: nouns.filter(({ area }) => area === word), folders: listFolders(tree, word) };
  const paths = tree.paths.filter((path) => isCalled(path, word));
  return paths.length > 0 ? { kind: 'files', paths } : undefined;
};
