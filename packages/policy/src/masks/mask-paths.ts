import type { PathSegment } from '../values/path.ts';
import { MASKED } from './mask-secrets.ts';
import { buildPathTree, type PathTree, parseMaskPath } from './path-tree.ts';

/** A position that paths have reached; a staying one enters the elements of a list, and continues by name alone. */
type Reached = { readonly tree: PathTree; readonly isStaying: boolean };

/** The positions that paths have reached at one value: shared by all values reached in the same way. */
type Stand = {
  /** True if a path ends here. */
  readonly ends: boolean;
  /** True if a path ends at a value that is no list and no object: here, or at each element of the list that it replaces. */
  readonly endsAtLeaf: boolean;
  /** No path continues below. */
  readonly isOver: boolean;
  readonly member: (key: string) => Stand;
  readonly element: (index: number) => Stand;
};

/** Includes single values in place of a list: one object, or one text, is masked like the one element of the list. */
const withElements = (reached: readonly Reached[]): readonly Reached[] => {
  const elements = new Set<PathTree>();
  const moving = new Set(reached.flatMap(({ tree, isStaying }) => (isStaying ? [] : [tree])));
  // Each once, even if several stars lead to it: otherwise they would double with every step.
  for (const { each } of moving) {
    if (each === null || moving.has(each)) continue;
    moving.add(each);
    elements.add(each);
  }
  return elements.size === 0 ? reached : [...reached, ...[...elements].map((tree) => ({ tree, isStaying: false }))];
};

const stepInto = (reached: readonly Reached[], key: string, isElement: boolean): Reached[] => {
  const next: Reached[] = [];
  for (const one of isElement ? reached : withElements(reached)) {
    const { tree, isStaying } = one;
    const named = tree.named.get(key);
    if (named !== undefined && (isElement ? named.isPosition && !isStaying : !(named.isPosition && isStaying)))
      next.push({ tree: named, isStaying: false });
    if (tree.each !== null && !isStaying) next.push({ tree: tree.each, isStaying: false });
    // A list is also traversed if the path does not say so.
    if (isElement && tree.hasNames) next.push(isStaying ? one : { tree, isStaying: true });
  }
  return next;
};

const NO_POSITION = '';

/** The cost of masking grows with the value and with the steps of the paths, and not with their product. */
const standAt = (reached: readonly Reached[]): Stand => {
  const known = new Map<string, Stand>();
  const next = (key: string, isElement: boolean): Stand => {
    const name = isElement ? `[${key}` : `.${key}`;
    const found = known.get(name);
    if (found !== undefined) return found;
    const into = stepInto(reached, key, isElement);
    if (into.length === 0) return OVER;
    const made = standAt(into);
    known.set(name, made);
    return made;
  };
  const hasPositions = reached.some(({ tree, isStaying }) => tree.hasPositions && !isStaying);
  return {
    ends: reached.some(({ tree, isStaying }) => tree.ends && !isStaying),
    endsAtLeaf: withElements(reached).some(({ tree, isStaying }) => tree.ends && !isStaying),
    isOver: false,
    member: (key) => next(key, false),
    element: (index) => next(hasPositions ? String(index) : NO_POSITION, true),
  };
};

const OVER: Stand = { ends: false, endsAtLeaf: false, isOver: true, member: () => OVER, element: () => OVER };

const masked = (value: unknown, stand: Stand): unknown => {
  if (stand.isOver) return value;
  if (stand.ends) return MASKED;
  if (Array.isArray(value)) return value.map((element, index) => masked(element, stand.element(index)));
  if (value === null || value === undefined) return value;
  if (typeof value !== 'object') return stand.endsAtLeaf ? MASKED : value;
  // Entries become own members for all names, "__proto__" included.
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, masked(member, stand.member(key))]));
};

/**
 * Returns a copy of a JSON value in which everything that the paths lead to is replaced by a mark. A key in a path enters every element of
 * a
 * list on its way, so that `items.email` masks like `items.*.email`, and `*` also masks a value that is no list but takes the place of
 * one, since services return a single element like that. A path that leads nowhere changes nothing.
 */
export const maskPaths = <Value>(value: Value, paths: readonly string[]): Value =>
  masked(value, standAt([{ tree: buildPathTree(paths), isStaying: false }])) as Value;

const isStepOfList = ({ each, index }: PathSegment): boolean => each || index >= 0;

/** Positions examined for one path; beyond it paths are assumed to overlap. */
const LOOKED_AT_MAX = 100;

type Meeting = { readonly path: readonly PathSegment[]; left: number };

const meet = (meeting: Meeting, at: number, tree: PathTree): boolean => {
  const first = meeting.path[at];
  if (first === undefined || tree.ends) return true;
  meeting.left -= 1;
  if (meeting.left < 0) return true;
  const { named, each, hasPositions } = tree;
  if (each !== null && (meet(meeting, at + 1, each) || meet(meeting, at, each))) return true;
  if (isStepOfList(first) && meet(meeting, at + 1, tree)) return true;
  const same = first.each ? undefined : named.get(first.key);
  if (same !== undefined && meet(meeting, at + 1, same)) return true;
  if (!first.each && !hasPositions) return false;
  for (const next of named.values()) {
    if (first.each && meet(meeting, at + 1, next)) return true;
    if (next.isPosition && meet(meeting, at, next)) return true;
  }
  return false;
};

/** Returns true if the value of one path can contain, or be inside, the value of one of the others. If in doubt, true. */
export const pathsMeet = (path: string, others: readonly string[]): boolean =>
  others.length > 0 && meet({ path: parseMaskPath(path), left: LOOKED_AT_MAX }, 0, buildPathTree(others));
