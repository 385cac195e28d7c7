const POSITION = / in JSON at position (\d+)/;
const ENDS_TOO_EARLY = 'Unexpected end of JSON input';

/**
 * Returns the position at which the parser stops: its own statement, the end of the text, undefined if it states none, null if it parses
 * everything.
 */
const getStop = (text: string): number | undefined | null => {
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

/** True if a text is a prefix of JSON: the parser accepts it, or stops at its very end. */
const isBeginning = (text: string): boolean => {
  const stop = getStop(text);
  return stop === null || (stop !== undefined && stop >= text.length);
};

/** Returns the length of the longest valid prefix, by bisection: an invalid prefix stays invalid when extended. */
const longestBeginning = (text: string): number => {
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isBeginning(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
};

/** Returns why a text is not JSON, with the position and without its content. Columns count from 1, in UTF-16 units. */
export const findJsonFault = (body: string): string => {
  // A byte order mark is also skipped when the body is parsed.
  const text = body.startsWith('\uFEFF') ? body.slice(1) : body;
  const stop = getStop(text);
  if (stop === null) return 'The body contains a member "__proto__", or "constructor" with a "prototype", which is not allowed.';
  const offset = stop ?? longestBeginning(text);
  const before = text.slice(0, offset);
  const place = `line ${before.split('\n').length}, column ${offset - before.lastIndexOf('\n')}`;
  return offset >= text.length
    ? `The body is not valid JSON: it ends unexpectedly at ${place}.`
    : `The body is not valid JSON at ${place}.`;
};
