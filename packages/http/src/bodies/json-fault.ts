const POSITION = / in JSON at position (\d+)/;
const ENDS_TOO_EARLY = 'Unexpected end of JSON input';

/** Where the parser cannot go on: its own position, the end of the text, undefined where it does not say, null where it reads all. */
const stopOf = (text: string): number | undefined | null => {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (error.message === ENDS_TOO_EARLY) return text.length;
    const position = POSITION.exec(error.message)?.[1];
    return position === undefined ? undefined : Number(position);
  }
};

/** Whether JSON can go on from here: the parser reads it all, or stops at its very end. */
const isBeginning = (text: string): boolean => {
  const stop = stopOf(text);
  return stop === null || (stop !== undefined && stop >= text.length);
};

/** The length of the longest beginning that JSON can go on from, by halving: one that cannot go on does not by getting longer. */
const longestBeginning = (text: string): number => {
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isBeginning(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
};

/** What keeps a text from being read as JSON, with the place and nothing of what stands there. Columns count from 1, in UTF-16 units. */
export const jsonFault = (body: string): string => {
  // A byte order mark is passed over where the body is read, too.
  const text = body.startsWith('\uFEFF') ? body.slice(1) : body;
  const stop = stopOf(text);
  if (stop === null) return 'The body contains a member "__proto__", or "constructor" with a "prototype", which is not allowed.';
  const offset = stop ?? longestBeginning(text);
  const before = text.slice(0, offset);
  const place = `line ${before.split('\n').length}, column ${offset - before.lastIndexOf('\n')}`;
  return offset >= text.length
    ? `The body is not valid JSON: it ends unexpectedly at ${place}.`
    : `The body is not valid JSON at ${place}.`;
};
