/**
 * Returns the beginning of a text, at most so many UTF-16 units and whole characters of it: a surrogate pair is never cut, since a
 * database,
 * a signature or a receiver rejects half of one.
 */
export const truncateText = (text: string, unitsMax: number): string => {
  const last = text.charCodeAt(unitsMax - 1);
  const isCut = text.length > unitsMax && last >= 0xd800 && last < 0xdc00;
  return text.slice(0, isCut ? unitsMax - 1 : unitsMax);
};
