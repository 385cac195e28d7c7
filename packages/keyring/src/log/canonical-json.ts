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

/** The same with the members of each object in order; UNFIT where an object cannot hold them in that order. */
const inOrder = (value: unknown): unknown => {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const parts = value.map(inOrder);
    return parts.includes(UNFIT) ? UNFIT : parts;
  }
  const members = value as Readonly<Record<string, unknown>>;
  const ordered: Record<string, unknown> = {};
  for (const name of namesOf(members)) {
    const part = needsCare(name) ? UNFIT : inOrder(members[name]);
    if (part === UNFIT) return UNFIT;
    ordered[name] = part;
  }
  return ordered;
};

/**
 * JSON in its one canonical form [RFC 8785, JCS]: members in the order of their names' UTF-16 code units, no space, and numbers and texts as
 * ECMAScript writes them. A half of a surrogate pair, which the standard knows no form for, is written as its escape.
 */
export const canonicalJson = (value: unknown): string => {
  const ordered = inOrder(value);
  return ordered === UNFIT ? written(value) : (JSON.stringify(ordered) ?? 'null');
};
