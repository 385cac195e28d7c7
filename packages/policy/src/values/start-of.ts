/**
 * The beginning of a text, at most so many UTF-16 units and whole characters of it: a pair of surrogates is never cut in two, since half of one
 * is nothing that a database stores, a signature covers or a receiver reads.
 */
export const startOf = (text: string, unitsMax: number): string => {
  const last = text.charCodeAt(unitsMax - 1);
  const isCut = text.length > unitsMax && last >= 0xd800 && last < 0xdc00;
  return text.slice(0, isCut ? unitsMax - 1 : unitsMax);
};
