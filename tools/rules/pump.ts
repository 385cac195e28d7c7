/** By turns, so that what doubles or cubes shows before it takes for ever; of the last a square is milliseconds, and once through it nothing. */
const LENGTHS = [20, 24, 256, 4_000] as const;
const slowMs = 3;
const triesMax = 3;
const unitsMax = 16;
/** What stands at the end, so that nothing matches to it. */
const END = '\u0001';

/** The characters that an expression names itself, beside one of each kind that classes name. */
const charactersOf = (source: string): readonly string[] => {
  const named = source
    .replace(/\\[dDwWsSbBnrtuxpP0]/g, '')
    .replace(/[()[\]{}?*+|^$]/g, (mark, at: number) => (source[at - 1] === '\\' ? mark : ''));
  return [...new Set(['"', '\\', 'a', 'A', '0', ' ', ...named])].slice(0, unitsMax);
};

const msOn = (expression: RegExp, text: string): number => {
  expression.lastIndex = 0;
  const startedAt = performance.now();
  if (expression.global) text.replace(expression, '');
  else expression.test(text);
  return performance.now() - startedAt;
};

/** The least of some tries: what a busy machine adds is not in each of them. */
const isSlowOn = (expression: RegExp, text: string): boolean => {
  for (let tried = 0; tried < triesMax; tried += 1) if (msOn(expression, text) < slowMs) return false;
  return true;
};

/**
 * What of one or two characters, repeated, an expression takes long on; nothing where it is none of them. It finds what begins anew within its
 * own run by more than one character, of which no analysis tells.
 */
export const slowUnit = (source: string, flags: string): string | undefined => {
  const expression = new RegExp(source, flags);
  const single = charactersOf(source);
  const units = [...single, ...single.flatMap((first) => single.map((second) => first + second))];
  return units.find((unit) => LENGTHS.some((characters) => isSlowOn(expression, unit.repeat(characters / unit.length) + END)));
};
