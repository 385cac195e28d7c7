const memberOf = (value: Readonly<Record<string, unknown>>, name: string): string =>
  `${JSON.stringify(name)}:${canonicalJson(value[name])}`;

/**
 * JSON in its one canonical form [RFC 8785, JCS]: members in the order of their names' UTF-16 code units, no space, and numbers and texts as
 * ECMAScript writes them. A half of a surrogate pair, which the standard knows no form for, is written as its escape.
 */
export const canonicalJson = (value: unknown): string => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members).filter((name) => members[name] !== undefined);
  return `{${names
    .sort()
    .map((name) => memberOf(members, name))
    .join(',')}}`;
};
