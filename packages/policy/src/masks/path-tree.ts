import { type PathSegment, parsePath } from '../values/path.ts';

/** A trie of mask paths: each common prefix is stored once. */
export type PathTree = {
  readonly named: Map<string, PathTree>;
  each: PathTree | null;
  /** True if the segment of this node is a list index, which can also be the name of a member. */
  readonly isPosition: boolean;
  /** True if a path ends here. */
  ends: boolean;
  /** True if a child is an index; and true if a child is a name. */
  hasPositions: boolean;
  hasNames: boolean;
};

const createNode = (isPosition: boolean): PathTree => ({
  named: new Map(),
  each: null,
  isPosition,
  ends: false,
  hasPositions: false,
  hasNames: false,
});

const addSegment = (tree: PathTree, { key, index, each }: PathSegment): PathTree => {
  if (each) {
    tree.each ??= createNode(false);
    return tree.each;
  }
  const isPosition = index >= 0;
  if (isPosition) tree.hasPositions = true;
  else tree.hasNames = true;
  const next = tree.named.get(key) ?? createNode(isPosition);
  tree.named.set(key, next);
  return next;
};

/** Parses a validated path. Throws on an invalid one, so that an unreadable mask is never treated as applied. */
export const parseMaskPath = (path: string): readonly PathSegment[] => {
  const parsed = parsePath(path);
  if ('fault' in parsed) throw new Error('invalid mask path');
  return parsed.segments;
};

const cache = new WeakMap<readonly string[], PathTree>();

/** Builds the tree in time linear in the number of segments. Caches it per list of paths. */
export const buildPathTree = (paths: readonly string[]): PathTree => {
  const cached = cache.get(paths);
  if (cached !== undefined) return cached;
  const root = createNode(false);
  for (const path of paths) parseMaskPath(path).reduce(addSegment, root).ends = true;
  cache.set(paths, root);
  return root;
};
