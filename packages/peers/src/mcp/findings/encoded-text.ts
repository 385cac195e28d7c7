/** A run of base64 or hexadecimal digits that decodes to words. */
export type EncodedText = { readonly start: number; readonly end: number; readonly decoded: string };

/** Longer runs are split. */
const RUNS = /[A-Za-z0-9+/=_-]{40,4096}/gu;
const WORDS_MIN = 4;

const isHex = (run: string): boolean => run.length % 2 === 0 && /^[0-9a-f]+$/iu.test(run);

/** Returns the decoded text of a run; undefined if it is not readable text, such as an image. */
const decode = (run: string, encoding: 'hex' | 'base64'): string | undefined => {
  const text = Buffer.from(run, encoding).toString('utf8');
  // A split run can end in the middle of a character.
  const body = text.endsWith('\ufffd') ? text.slice(0, -1) : text;
  if (/[\p{Cc}\ufffd]/u.test(body.replace(/[\t\n\r]/gu, ' '))) return undefined;
  return body.split(/\s/u).filter((word) => /^\p{L}{2,}[.,;:!?]?$/u.test(word)).length >= WORDS_MIN ? body : undefined;
};

/** Returns the runs of at least 40 digits that decode to at least four words. */
export const findEncodedText = (text: string): readonly EncodedText[] =>
  Array.from(text.matchAll(RUNS)).flatMap(({ 0: run, index }) => {
    const decoded = (isHex(run) ? decode(run, 'hex') : undefined) ?? decode(run, 'base64');
    return decoded === undefined ? [] : [{ start: index, end: index + run.length, decoded }];
  });
