/** Names that an object puts in an order of its own, or takes for something else. */
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

/** Keeps by itself what is open, and calls itself for nothing, so that it takes whatever depth there is. */
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

/** Far below what the stack of calls holds, and far above what is told of anything. */
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

/** The object itself where it and all that is in it are in order already, as most of what is sealed is. */
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

/** The same with the members of each object in order; UNFIT where an object cannot hold them in that order, or it is too deep. */
const inOrder = (value: unknown, depth: number): unknown => {
  if (value === null || typeof value !== 'object') return value;
  if (depth > DEPTH_MAX) return UNFIT;
  if (!Array.isArray(value)) return partsInOrder(value as Readonly<Record<string, unknown>>, Object.keys(value), depth);
  const parts = value.map((part) => inOrder(part, depth + 1));
  return parts.includes(UNFIT) ? UNFIT : parts;
};

/**
 * JSON in its one canonical form [RFC 8785, JCS]: members in the order of their names' UTF-16 code units, no space, and numbers and texts as
 * ECMAScript writes them. A half of a surrogate pair, which the standard knows no form for, is written as its escape.
 */
export const canonicalJson = (value: unknown): string => {
  const ordered = inOrder(value, 0);
  return ordered === UNFIT ? written(value) : (JSON.stringify(ordered) ?? 'null');
};
