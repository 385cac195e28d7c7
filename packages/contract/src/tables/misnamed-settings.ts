import { SETTING_NAMES } from './setting-names.ts';
import { SETTINGS_PREFIX } from './wire-name.ts';

/** Minimum length for a suggestion: short names are near to many unrelated ones, such as PORT to HOST. */
const SUGGESTED_LENGTH_MIN = 8;
const EDITS_MAX = 2;
/** Maximum length of a name that may be meant as a setting. */
const LENGTH_MAX = 64;

/** Returns the Damerau-Levenshtein distance: letters omitted, added, replaced or transposed. */
const editsBetween = (a: string, b: string): number => {
  let [twoAbove, above]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (above?.[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above?.[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (twoAbove?.[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [twoAbove, above] = [above, current];
  }
  return above?.[b.length] ?? 0;
};

const nearestTo = (name: string): string | undefined => {
  const near = SETTING_NAMES.filter((known) => known.length >= SUGGESTED_LENGTH_MIN && Math.abs(known.length - name.length) <= EDITS_MAX)
    .map((known) => ({ known, edits: editsBetween(name.toUpperCase(), known) }))
    .filter(({ edits }) => edits <= EDITS_MAX);
  return near.sort((a, b) => a.edits - b.edits)[0]?.known;
};

/** Returns a name with the missing prefix. */
const withoutPrefix = (name: string): string | undefined => {
  const rest = name.toUpperCase().startsWith(SETTINGS_PREFIX) ? name.slice(SETTINGS_PREFIX.length).toUpperCase() : '';
  return SETTING_NAMES.includes(rest) ? rest : undefined;
};

const describe = (name: string): string | undefined => {
  if (name.length > LENGTH_MAX || SETTING_NAMES.includes(name)) return undefined;
  const nearest = withoutPrefix(name) ?? nearestTo(name);
  if (nearest !== undefined) return `${name} is not recognized; did you mean ${nearest}?`;
  return name.startsWith(SETTINGS_PREFIX) ? `${name} is not recognized: there is no setting with that name.` : undefined;
};

/** Returns a sentence for each variable whose name is close to a setting, or looks like one and is none. Values are not read. */
export const listMisnamedSettings = (names: readonly string[]): readonly string[] =>
  [...names].sort().flatMap((name) => describe(name) ?? []);
