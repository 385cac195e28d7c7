import { parsePath, type Segment } from '../values/path.ts';

/** Paths by what they begin with; each step of all of them is there once. */
export type PathTree = {
  readonly named: Map<string, PathTree>;
  each: PathTree | null;
  /** Whether the step to here is a position of a list, which is the name of a member as well. */
  readonly isPosition: boolean;
  /** Whether a path ends here. */
  ends: boolean;
  /** Whether a step from here is a position, or a name that is none. */
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

const stepTo = (tree: PathTree, { key, index, each }: Segment): PathTree => {
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

/** Nothing but a validated path gets here; a mask that cannot be read must not look as if it had been laid on. */
export const segmentsOf = (path: string): readonly Segment[] => {
  const parsed = parsePath(path);
  if ('fault' in parsed) throw new Error('a path to mask cannot be read');
  return parsed.segments;
};

const known = new WeakMap<readonly string[], PathTree>();

/** Costs as much as the paths have steps, once for a list of them. */
export const pathTree = (paths: readonly string[]): PathTree => {
  const before = known.get(paths);
  if (before !== undefined) return before;
  const root = newTree(false);
  for (const path of paths) segmentsOf(path).reduce(stepTo, root).ends = true;
  known.set(paths, root);
  return root;
};
