import { posix } from 'node:path';
import type { SourceFile } from '../source.ts';
import type { ProjectRule, RuleFinding, Tree } from '../tree.ts';

const FILES_MAX = 40;

/** One import between two files of a package in different folders. */
type Step = { readonly from: SourceFile; readonly to: string; readonly line: number };
/** Imports between two folders: of `b` by `a`, and of `a` by `b`. */
type Pair = { readonly a: string; readonly b: string; readonly there: Step[]; readonly back: Step[] };

const folderOf = posix.dirname;

/** Facts of a noun: data that imports only types, so that tables may collect it from every area. */
const isFacts = (path: string): boolean => posix.basename(path) === 'noun.ts';

const isBelow = (path: string, folder: string): boolean => folderOf(path) !== folder && path.startsWith(`${folder}/`);

const resolveInside = (from: SourceFile, specifier: string): string | undefined =>
  specifier.startsWith('.') ? posix.join(folderOf(from.path), specifier) : undefined;

const listSteps = (tree: Tree): Step[] => {
  const product = new Map(tree.sources.filter(({ isTest }) => !isTest).map((source) => [source.path, source]));
  return [...product.values()].flatMap((from) =>
    from.imports.flatMap(({ specifier, line }) => {
      const to = resolveInside(from, specifier);
      return to === undefined || isFacts(to) || product.get(to)?.folder !== from.folder ? [] : [{ from, to, line }];
    }),
  );
};

/** Files that join everything below their folder, such as `handlers.ts`, and that nothing below imports. */
const findJoiners = (steps: readonly Step[]): ReadonlySet<string> => {
  const joining = new Set(steps.filter(({ from, to }) => isBelow(to, folderOf(from.path))).map(({ from }) => from.path));
  for (const { from, to } of steps) if (isBelow(from.path, folderOf(to))) joining.delete(to);
  return joining;
};

/** Returns the two folders in which the paths of two files diverge; if one folder is inside the other, these two. */
const whereTheyPart = (left: string, right: string): readonly [string, string] => {
  const [a, b] = [folderOf(left), folderOf(right)];
  if (`${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`)) return [a, b];
  const [stepsToA, stepsToB] = [a.split('/'), b.split('/')];
  const parting = stepsToA.findIndex((step, index) => step !== stepsToB[index]) + 1;
  return [stepsToA.slice(0, parting).join('/'), stepsToB.slice(0, parting).join('/')];
};

const findPairs = (steps: readonly Step[]): Pair[] => {
  const joiners = findJoiners(steps);
  const pairs = new Map<string, Pair>();
  for (const step of steps) {
    if (joiners.has(step.from.path) && isBelow(step.to, folderOf(step.from.path))) continue;
    const [from, to] = whereTheyPart(step.from.path, step.to);
    if (from === to) continue;
    const [a = '', b = ''] = [from, to].toSorted();
    const key = `${a} ${b}`;
    const pair = pairs.get(key) ?? { a, b, there: [], back: [] };
    pairs.set(key, pair);
    (from === a ? pair.there : pair.back).push(step);
  }
  return [...pairs.values()];
};

/** Reports a cycle at the direction with fewer imports. */
const mutual = ({ a, b, there, back }: Pair): RuleFinding[] => {
  if (there.length === 0 || back.length === 0) return [];
  const [few, many] = there.length < back.length ? [there, back] : [back, there];
  const against = many.length === 1 ? 'one import' : `${many.length} imports`;
  return few.map(({ from, to, line }) => ({
    path: from.path,
    line,
    says: `imports ${to}, against ${against} the other way: ${a} and ${b} may not import each other, types included`,
  }));
};

const tooFull = (tree: Tree): RuleFinding[] => {
  const counts = new Map<string, number>();
  for (const { path, isTest } of tree.sources) if (!isTest) counts.set(folderOf(path), (counts.get(folderOf(path)) ?? 0) + 1);
  return [...counts].flatMap(([path, count]) =>
    count > FILES_MAX ? [{ path, says: `holds ${count} files of code and may hold ${FILES_MAX}; make rooms of it` }] : [],
  );
};

const factsWithValues = (tree: Tree): RuleFinding[] =>
  tree.sources
    .filter(({ path }) => isFacts(path))
    .flatMap(({ path, imports }) =>
      imports.flatMap(({ specifier, line, typeOnly }) =>
        typeOnly ? [] : [{ path, line, says: `imports the value of ${specifier}; facts of a noun import types only` }],
      ),
    );

/** Checks that no two folders of a package import each other, and that none is too large. Tests may import anything and are not counted. */
export const checkFolders: ProjectRule = (tree) => [
  ...findPairs(listSteps(tree)).flatMap(mutual),
  ...factsWithValues(tree),
  ...tooFull(tree),
];
