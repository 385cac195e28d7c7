/** Returns JSON text without comments and trailing commas, which configuration files of editors contain. */
const withoutComments = (text: string): string => {
  let result = '';
  for (let at = 0; at < text.length; ) {
    const two = text.slice(at, at + 2);
    if (text[at] === '"') {
      let end = at + 1;
      while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
      result += text.slice(at, end + 1);
      at = end + 1;
    } else if (two === '//') {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else if (two === '/*') {
      const end = text.indexOf('*/', at + 2);
      at = end < 0 ? text.length : end + 2;
    } else {
      const rest = text[at] === ',' ? /^,\s*(?=[}\]])/.exec(text.slice(at, at + 1_000)) : null;
      if (rest === null) result += text[at];
      at += rest === null ? 1 : rest[0].length;
    }
  }
  return result;
};

/** Parses JSON; undefined if the text is none. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
};

/** The same for JSON with comments and trailing commas. */
export const parseLooseJson = (text: string): unknown => parseJson(text) ?? parseJson(withoutComments(text));
