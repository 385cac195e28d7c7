const SLUG_CHARS_MAX = 63;
const SUFFIX_CHARS = 8;

const trimmed = (text: string, charsMax: number): string => text.slice(0, charsMax).replace(/(?<!-)-+$/, '');

/**
 * Derives a slug from a name: lower-case letters, digits and single hyphens, without accents. `long` ends in the tail of the
 * identifier, for when `short` is taken; a name without a Latin letter or digit has only that tail.
 */
export const createSlug = (name: string, id: string): { readonly short: string; readonly long: string } => {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '');
  const suffix = id.slice(-SUFFIX_CHARS).toLowerCase();
  const base = trimmed(words, SLUG_CHARS_MAX - SUFFIX_CHARS - 1);
  const long = base === '' ? suffix : `${base}-${suffix}`;
  return { short: trimmed(words, SLUG_CHARS_MAX) || long, long };
};
