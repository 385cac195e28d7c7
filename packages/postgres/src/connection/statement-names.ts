/** A prepared statement costs each connection memory on the server, so that only so many texts get a name. */
const NAMES_MAX = 250;

const seenOnce = new Set<string>();
const names = new Map<string, string>();

/**
 * The name under which connections prepare a statement, so that it is read and planned once and not at each use. Undefined for a text seen
 * for the first time, since many a statement runs once, and for those beyond the number that a server is asked to keep.
 */
export const statementName = (text: string): string | undefined => {
  const known = names.get(text);
  if (known !== undefined || names.size >= NAMES_MAX) return known;
  if (!seenOnce.has(text)) {
    if (seenOnce.size >= NAMES_MAX) seenOnce.clear();
    seenOnce.add(text);
    return undefined;
  }
  seenOnce.delete(text);
  const name = `svc_${names.size + 1}`;
  names.set(text, name);
  return name;
};
