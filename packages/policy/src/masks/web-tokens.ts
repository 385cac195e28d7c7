const ANY = /eyj/i;
/** Each run of token characters begins once, so that the time grows with the length of the text alone. */
const RUN = /(?<![\w.-])[\w.-]+/g;
const HEAD = /(?<!\w)eyj/i;
const HEAD_REST_MIN = 6;
const PAYLOAD_MIN = 6;

/** Returns where the first part of a token begins in the text before a dot; -1 if there is none. */
const findHead = (part: string): number => {
  const at = part.search(HEAD);
  return at >= 0 && part.length - at - 'eyJ'.length >= HEAD_REST_MIN ? at : -1;
};

const maskRun = (run: string, mask: string): string => {
  const parts = run.split('.');
  const kept: string[] = [];
  for (let place = 0; place < parts.length; place += 1) {
    const [part = '', payload = ''] = [parts[place], parts[place + 1]];
    const at = payload.length >= PAYLOAD_MIN ? findHead(part) : -1;
    kept.push(at < 0 ? part : part.slice(0, at) + mask);
    // Its payload, and its signature if there is one.
    if (at >= 0) place += 2;
  }
  return kept.join('.');
};

/**
 * Returns the text with JSON Web Tokens (RFC 7519) replaced, wherever they begin after a character that is no letter, digit or underscore.
 */
export const maskWebTokens = (text: string, mask: string): string =>
  ANY.test(text) ? text.replaceAll(RUN, (run) => (run.includes('.') ? maskRun(run, mask) : run)) : text;
