/** Names that objects reorder or treat specially. */
const needsCare = (name: string): boolean => {
  const first = name.charCodeAt(0);
  return (first >= 48 && first <= 57) || name === '__proto__';
};

/** An array or an object that is being written, and how far that is. */
type Open = { readonly names: readonly string[] | undefined; readonly values: readonly unknown[]; at: number };

const openOf = (value: object): Open => {
  if (Array.isArray(value)) return { names: undefined, values: value, at: 0 };
  const members = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members)
    .sort()
    .filter((name) => members[name] !== undefined);
  return { names, values: names.map((name) => members[name]), at: 0 };
};

/** Uses an explicit stack instead of recursion, so that it supports any depth. */
const written = (whole: unknown): string => {
  let text = '';
  const open: Open[] = [];
  const begin = (value: unknown): void => {
    if (value === null || typeof value !== 'object') {
      text += JSON.stringify(value) ?? 'null';
      return;
    }
    const begun = openOf(value);
    text += begun.names ? '{' : '[';
    open.push(begun);
  };
  begin(whole);
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const { names, values, at } = last;
    if (at === values.length) {
      text += names ? '}' : ']';
      open.pop();
      continue;
    }
    if (at > 0) text += ',';
    if (names) text += `${JSON.stringify(names[at])}:`;
    last.at += 1;
    begin(values[at]);
  }
  return text;
};

const UNFIT = Symbol('unfit');

/** Far below the limit of the call stack, and far above the depth of real events. */
const DEPTH_MAX = 500;

const isInOrder = (names: readonly string[]): boolean => {
  for (let n = 1; n < names.length; n += 1) if ((names[n - 1] as string) > (names[n] as string)) return false;
  return true;
};

const firstOf = (value: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> => {
  const first: Record<string, unknown> = {};
  for (const name of names) first[name] = value[name];
  return first;
};

/** Returns the object itself if it and everything in it is in order, as most sealed events are. */
const partsInOrder = (value: Readonly<Record<string, unknown>>, given: readonly string[], depth: number): unknown => {
  const isSorted = isInOrder(given);
  const names = isSorted ? given : given.toSorted();
  let ordered: Record<string, unknown> | undefined = isSorted ? undefined : {};
  for (let at = 0; at < names.length; at += 1) {
    const name = names[at] as string;
    const part = needsCare(name) ? UNFIT : inOrder(value[name], depth + 1);
    if (part === UNFIT) return UNFIT;
    if (ordered === undefined && part !== value[name]) ordered = firstOf(value, names.slice(0, at));
    if (ordered !== undefined) ordered[name] = part;
  }
  return ordered ?? value;
};

/** Returns the value with the members of each object in order; UNFIT if an object cannot keep that order, or it is too deep. */
const inOrder = (value: unknown, depth: number): unknown => {
  if (value === null || typeof value !== 'object') return value;
  if (depth > DEPTH_MAX) return UNFIT;
  if (!Array.isArray(value)) return partsInOrder(value as Readonly<Record<string, unknown>>, Object.keys(value), depth);
  const parts = value.map((part) => inOrder(part, depth + 1));
  return parts.includes(UNFIT) ? UNFIT : parts;
};

/**
 * Serializes JSON in canonical form [RFC 8785, JCS]: members in the order of their names' UTF-16 code units, no space, and numbers and
 * texts as
 * ECMAScript writes them. An unpaired surrogate, for which the standard has no form, is written as its escape.
 */
export const canonicalJson = (value: unknown): string => {
  const ordered = inOrder(value, 0);
  return ordered === UNFIT ? written(value) : (JSON.stringify(ordered) ?? 'null');
};
