/** A prepared statement costs memory per connection on the server, so only so many texts get a name. */
const NAMES_MAX = 250;

const seenOnce = new Set<string>();
const names = new Map<string, string>();

/**
 * Returns the name under which connections prepare a statement, so that it is parsed and planned once. Undefined for a text seen
 * for the first time, since many statements run once, and beyond the maximum number.
 */
export const getStatementName = (text: string): string | undefined => {
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
