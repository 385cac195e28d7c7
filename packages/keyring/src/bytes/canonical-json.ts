/** Names that an object puts in an order of its own, or takes for something else. */
const needsCare = (name: string): boolean => {
  const first = name.charCodeAt(0);
  return (first >= 48 && first <= 57) || name === '__proto__';
};

const memberOf = (value: Readonly<Record<string, unknown>>, name: string): string => `${JSON.stringify(name)}:${written(value[name])}`;

const namesOf = (value: object): string[] => Object.keys(value).sort();

const written = (value: unknown): string => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  const members = value as Readonly<Record<string, unknown>>;
  const names = namesOf(members).filter((name) => members[name] !== undefined);
  return `{${names.map((name) => memberOf(members, name)).join(',')}}`;
};

const UNFIT = Symbol('unfit');

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
const partsInOrder = (value: Readonly<Record<string, unknown>>, given: readonly string[]): unknown => {
  const isSorted = isInOrder(given);
  const names = isSorted ? given : given.toSorted();
  let ordered: Record<string, unknown> | undefined = isSorted ? undefined : {};
  for (let at = 0; at < names.length; at += 1) {
    const name = names[at] as string;
    const part = needsCare(name) ? UNFIT : inOrder(value[name]);
    if (part === UNFIT) return UNFIT;
    if (ordered === undefined && part !== value[name]) ordered = firstOf(value, names.slice(0, at));
    if (ordered !== undefined) ordered[name] = part;
  }
  return ordered ?? value;
};

/** The same with the members of each object in order; UNFIT where an object cannot hold them in that order. */
const inOrder = (value: unknown): unknown => {
  if (value === null || typeof value !== 'object') return value;
  if (!Array.isArray(value)) return partsInOrder(value as Readonly<Record<string, unknown>>, Object.keys(value));
  const parts = value.map(inOrder);
  return parts.includes(UNFIT) ? UNFIT : parts;
};

/**
 * JSON in its one canonical form [RFC 8785, JCS]: members in the order of their names' UTF-16 code units, no space, and numbers and texts as
 * ECMAScript writes them. A half of a surrogate pair, which the standard knows no form for, is written as its escape.
 */
export const canonicalJson = (value: unknown): string => {
  const ordered = inOrder(value);
  return ordered === UNFIT ? written(value) : (JSON.stringify(ordered) ?? 'null');
};
