/** Replacement of a masked value, as in the records of the service. */
export const MASKED = '[masked]';

type Step = { readonly each: boolean; readonly key: string; readonly index: number };
type Path = readonly Step[];

const ESCAPES: Readonly<Record<string, string>> = { '~0': '~', '~1': '.', '~2': '*' };

const readStep = (text: string): Step => ({
  each: text === '*',
  key: text.replace(/~[012]/g, (written) => ESCAPES[written] ?? written),
  index: /^(0|[1-9]\d{0,8})$/.test(text) ? Number(text) : -1,
});

const tails = new WeakMap<Path, Path>();

/** Returns the path without its first step; the same object each time, so that a path reached in several ways is followed once. */
const getTail = (path: Path): Path => {
  const tail = tails.get(path) ?? path.slice(1);
  tails.set(path, tail);
  return tail;
};

/**
 * Applies one step. Elements of a list are visited whether the path states it or not; an object in place of a list is treated as its
 * element.
 */
const step = (paths: readonly Path[], key: string, index: number | null): Path[] =>
  paths.flatMap((path) => {
    const [first] = path;
    if (first === undefined) return [];
    const rest = getTail(path);
    if (first.each && index === null) return [rest, ...step([rest], key, index)];
    if (first.each || (index === null ? first.key === key : first.index === index)) return [rest];
    return index !== null && first.index < 0 ? [path] : [];
  });

const below = (paths: readonly Path[], key: string, index: number | null): Path[] => [...new Set(step(paths, key, index))];

const masked = (value: unknown, paths: readonly Path[]): unknown => {
  if (paths.length === 0) return value;
  if (paths.some((path) => path.length === 0)) return MASKED;
  if (Array.isArray(value)) return value.map((element, index) => masked(element, below(paths, '', index)));
  if (value === null || value === undefined) return value;
  if (typeof value !== 'object') return paths.some((path) => path.every(({ each }) => each)) ? MASKED : value;
  // The service sees its JSON form.
  if ('toJSON' in value && typeof value.toJSON === 'function') return masked(value.toJSON(), paths);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, masked(member, below(paths, key, null))]));
};

/** Returns a copy of a JSON value with the values at the dotted paths replaced, like in the service: `*` is every element or member. */
export const maskPaths = (value: unknown, paths: readonly string[]): unknown =>
  masked(
    value,
    paths.map((path) => path.split('.').map(readStep)),
  );
