import { type AllowlistEntry, parseAllowlistEntry } from './allowlist.ts';

/**
 * Returns true if everything that `inner` covers is covered by `outer`. An entry without a port and one with a port cover different
 * requests.
 */
export const coversEntry = (outer: AllowlistEntry, inner: AllowlistEntry): boolean => {
  if (outer.port !== inner.port) return false;
  if (outer.host === inner.host && outer.subdomains === inner.subdomains) return true;
  return outer.subdomains && inner.host.endsWith(`.${outer.host}`);
};

/** The entries in their one spelling; one that cannot be read is left out, so that it covers nothing. */
export const readEntries = (texts: readonly string[]): readonly AllowlistEntry[] =>
  texts.map(parseAllowlistEntry).flatMap((entry) => ('fault' in entry ? [] : [entry]));

export const formatEntryText = ({ host, subdomains, port }: AllowlistEntry): string =>
  `${subdomains ? '*.' : ''}${host}${port === undefined ? '' : `:${port}`}`;

/** Returns true if every entry is within some entry of the others. An unreadable entry is within nothing. */
export const destinationsWithin = (inner: readonly string[], outer: readonly string[]): boolean => {
  const around = readEntries(outer);
  return inner.every((text) => {
    const entry = parseAllowlistEntry(text);
    return !('fault' in entry) && around.some((one) => coversEntry(one, entry));
  });
};
