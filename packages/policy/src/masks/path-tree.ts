import { type PathSegment, parsePath } from '../values/path.ts';

/** Paths by their common beginnings; each step of all of them occurs once. */
export type PathTree = {
  readonly named: Map<string, PathTree>;
  each: PathTree | null;
  /** True if the step to here is a list index, which is also the name of a member. */
  readonly isPosition: boolean;
  /** True if a path ends here. */
  ends: boolean;
  /** True if a step from here is an index, or a name that is none. */
  hasPositions: boolean;
  hasNames: boolean;
};

const newTree = (isPosition: boolean): PathTree => ({
  named: new Map(),
  each: null,
  isPosition,
  ends: false,
  hasPositions: false,
  hasNames: false,
});

const stepTo = (tree: PathTree, { key, index, each }: PathSegment): PathTree => {
  if (each) {
    tree.each ??= newTree(false);
    return tree.each;
  }
  const isPosition = index >= 0;
  if (isPosition) tree.hasPositions = true;
  else tree.hasNames = true;
  const next = tree.named.get(key) ?? newTree(isPosition);
  tree.named.set(key, next);
  return next;
};

/** Only a validated path gets here; an unreadable mask must not look as if it had been applied. */
export const parseMaskPath = (path: string): readonly PathSegment[] => {
  const parsed = parsePath(path);
  if ('fault' in parsed) throw new Error('a path to mask cannot be read');
  return parsed.segments;
};

const known = new WeakMap<readonly string[], PathTree>();

/** Builds the tree; costs as many steps as the paths have, once per list of paths. */
export const pathTree = (paths: readonly string[]): PathTree => {
  const before = known.get(paths);
  if (before !== undefined) return before;
  const root = newTree(false);
  for (const path of paths) parseMaskPath(path).reduce(stepTo, root).ends = true;
  known.set(paths, root);
  return root;
};
