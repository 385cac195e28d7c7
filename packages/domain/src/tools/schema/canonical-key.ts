/**
 * Returns a text that is equal for two JSON values exactly if JSON Schema treats them as equal: for any order of members, 1 and 1.0 alike.
 */
export const deriveCanonicalKey = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value === 0 ? 0 : value);
  if (Array.isArray(value)) return `[${value.map(deriveCanonicalKey).join(',')}]`;
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${deriveCanonicalKey(member)}`);
  return `{${members.join(',')}}`;
};
