/**
 * In steps, so that exponential or cubic time shows before it takes forever; at the last length quadratic time takes milliseconds, and
 * linear time none.
 */
const LENGTHS = [20, 24, 256, 4_000] as const;
const slowMs = 3;
const triesMax = 3;
const unitsMax = 16;
/** Ends the text, so that nothing matches to the end. */
const END = '\u0001';

/** Returns the characters in an expression, and one of each kind of class. */
const listCharacters = (source: string): readonly string[] => {
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

/** Takes the minimum of some tries: load does not slow every one of them. */
const isSlowOn = (expression: RegExp, text: string): boolean => {
  for (let tried = 0; tried < triesMax; tried += 1) if (msOn(expression, text) < slowMs) return false;
  return true;
};

/**
 * Returns the unit of one or two characters whose repetition makes an expression slow; undefined if there is none. It finds repetitions of
 * more than one character, which the analysis misses.
 */
export const slowUnit = (source: string, flags: string): string | undefined => {
  const expression = new RegExp(source, flags);
  const single = listCharacters(source);
  const units = [...single, ...single.flatMap((first) => single.map((second) => first + second))];
  return units.find((unit) => LENGTHS.some((characters) => isSlowOn(expression, unit.repeat(characters / unit.length) + END)));
};
