import { MASKED } from './mask-secrets.ts';
import { parsePath, type Segment } from './path.ts';

type Path = readonly Segment[];

const readPaths = (paths: readonly string[]): Path[] =>
  paths.map((path) => {
    const parsed = parsePath(path);
    // Nothing but a validated path gets here; a mask that cannot be read must not look as if it had been laid on.
    if ('fault' in parsed) throw new Error('a path to mask cannot be read');
    return parsed.segments;
  });

/** Where the paths have come to at one place of a value: the same for every place that is reached in the same way. */
type Stand = {
  /** Whether a path ends here. */
  readonly ends: boolean;
  /** Nothing below is led to. */
  readonly isOver: boolean;
  readonly member: (key: string) => Stand;
  readonly element: (index: number) => Stand;
};

const stepInto = (path: Path, key: string, index: number | null): Path[] => {
  const [first, ...rest] = path;
  if (first === undefined) return [];
  if (first.each || (index === null ? first.key === key : first.index === index)) return [rest];
  // A list is also gone through where the path does not say so.
  return index !== null && first.index < 0 ? [path] : [];
};

/** Names and positions that no path has lead to the same, so what it costs to lay masks on grows with the value and not with the paths. */
const standAt = (paths: readonly Path[]): Stand => {
  const keys = new Set(paths.flatMap(([first]) => (first ? [first.key] : [])));
  const indexes = new Set(paths.flatMap(([first]) => (first ? [first.index] : [])));
  const members = new Map<string | null, Stand>();
  const elements = new Map<number, Stand>();
  const next = <Step>(known: Map<Step, Stand>, step: Step, key: string, index: number | null): Stand => {
    const found = known.get(step);
    if (found !== undefined) return found;
    const made = standAt(paths.flatMap((path) => stepInto(path, key, index)));
    known.set(step, made);
    return made;
  };
  return {
    ends: paths.some((path) => path.length === 0),
    isOver: paths.length === 0,
    member: (key) => (keys.has(key) ? next(members, key, key, null) : next(members, null, '', null)),
    element: (index) => (indexes.has(index) ? next(elements, index, '', index) : next(elements, -1, '', -2)),
  };
};

const masked = (value: unknown, stand: Stand): unknown => {
  if (stand.isOver) return value;
  if (stand.ends) return MASKED;
  if (Array.isArray(value)) return value.map((element, index) => masked(element, stand.element(index)));
  if (typeof value !== 'object' || value === null) return value;
  // Entries become own members whatever they are called, "__proto__" too.
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, masked(member, stand.member(key))]));
};

/**
 * A copy of a JSON value in which whatever the paths lead to is replaced by a mark. A key in a path goes into every element of a list
 * that stands in its way, so that `items.email` masks as `items.*.email` does. What leads nowhere changes nothing.
 */
export const maskPaths = <Value>(value: Value, paths: readonly string[]): Value => masked(value, standAt(readPaths(paths))) as Value;

const isStepOfList = (segment: Segment): boolean => segment.each || segment.index >= 0;

const meet = (one: Path, other: Path): boolean => {
  const [first, ...rest] = one;
  const [second, ...others] = other;
  if (first === undefined || second === undefined) return true;
  if ((first.each || second.each || first.key === second.key) && meet(rest, others)) return true;
  return (isStepOfList(first) && meet(rest, other)) || (isStepOfList(second) && meet(one, others));
};

/** Whether what one path leads to can hold, or lie in, what one of the others leads to. When in doubt it does. */
export const pathsMeet = (path: string, others: readonly string[]): boolean => {
  const [own] = readPaths([path]);
  return own !== undefined && readPaths(others).some((other) => meet(own, other));
};
