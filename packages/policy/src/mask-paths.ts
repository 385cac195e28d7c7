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

/** The paths that go on below a member, each without its first step. A list is also gone through where the path does not say so. */
const below = (paths: readonly Path[], key: string, index: number | null): Path[] =>
  paths.flatMap((path) => {
    const [first, ...rest] = path;
    if (first === undefined) return [];
    if (first.each || (index === null ? first.key === key : first.index === index)) return [rest];
    return index !== null && first.index < 0 ? [path] : [];
  });

const masked = (value: unknown, paths: readonly Path[]): unknown => {
  if (paths.length === 0) return value;
  if (paths.some((path) => path.length === 0)) return MASKED;
  if (Array.isArray(value)) return value.map((element, index) => masked(element, below(paths, '', index)));
  if (typeof value !== 'object' || value === null) return value;
  // Entries become own members whatever they are called, "__proto__" too.
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, masked(member, below(paths, key, null))]));
};

/**
 * A copy of a JSON value in which whatever the paths lead to is replaced by a mark. A key in a path goes into every element of a list
 * that stands in its way, so that `items.email` masks as `items.*.email` does. What leads nowhere changes nothing.
 */
export const maskPaths = <Value>(value: Value, paths: readonly string[]): Value => masked(value, readPaths(paths)) as Value;

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
