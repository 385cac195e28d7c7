import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSource, type SourceFile } from './source.ts';

/** A report of a rule: where, and what is wrong in words that state what to do. */
export type RuleFinding = { readonly path: string; readonly line?: number; readonly says: string };

/** The project as rules see it: paths from its root with forward slashes, texts, and parsed TypeScript. */
export type Tree = {
  readonly paths: readonly string[];
  readonly has: (path: string) => boolean;
  readonly text: (path: string) => string;
  readonly sources: readonly SourceFile[];
  /** Files that do not parse, which no rule can check. */
  readonly unparsed: readonly RuleFinding[];
};

export type ProjectRule = (tree: Tree) => readonly RuleFinding[];

/** Builds a tree from texts, for the tests of the rules. */
export const buildTree = (files: Readonly<Record<string, string>>): Tree => {
  const paths = Object.keys(files).sort();
  const text = (path: string): string => {
    const found = files[path];
    if (found === undefined) throw new Error(`${path} is not in the tree`);
    return found;
  };
  // Code in sdks has the form that its host product requires, such as classes of n8n, so no rule of this project applies to it.
  const isOwn = (path: string): boolean => /\.tsx?$/.test(path) && !path.startsWith('sdks/');
  const parsed = paths.filter(isOwn).map((path) => parseSource(path, text(path)));
  return {
    paths,
    has: (path) => Object.hasOwn(files, path),
    text,
    sources: parsed.filter((each) => 'visit' in each),
    unparsed: parsed.filter((each) => 'says' in each),
  };
};

const passedOver = new Set(['node_modules', '.git', '.data', '.cache', 'dist', 'coverage']);
const textual =
  /\.(tsx?|mjs|json|md|sql|ya?ml|sh|html|css|svg|service|cfg|conf|env|example)$|(^|\/)(Dockerfile|LICENSE|run|\.[a-z]+(rc|ignore|attributes|config)?)$/;

const listFiles = (root: string, folder = ''): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return passedOver.has(entry.name) ? [] : listFiles(root, path);
    return entry.isFile() && textual.test(path) ? [path] : [];
  });

/** Reads every text file below a folder, tracked or not, so that it works without version control. */
export const readTree = (root: string): Tree =>
  buildTree(Object.fromEntries(listFiles(root).map((path) => [path, readFileSync(join(root, path), 'utf8')])));
