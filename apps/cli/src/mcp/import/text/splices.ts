/** A range of a text, and what replaces it. */
export type Splice = { readonly from: number; readonly to: number; readonly text: string };

/** Replaces ranges of a text. The ranges do not overlap. */
export const applySplices = (text: string, splices: readonly Splice[]): string =>
  splices
    .toSorted((a, b) => b.from - a.from)
    .reduce((changed, { from, to, text: inserted }) => changed.slice(0, from) + inserted + changed.slice(to), text);

export const getLineEnd = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** The start of the line that holds a position. */
export const getLineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

/** The start of the line after the one that holds a position. */
export const getNextLine = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
};

/** The white space before a position, if nothing else of its line is before it. */
export const getIndentation = (text: string, at: number): string | undefined => {
  const before = text.slice(getLineStart(text, at), at);
  return /^[ \t]*$/.test(before) ? before : undefined;
};
