/**
 * Finds characters that a reader does not see and a model does. Joiners and marks that a script or an emoji needs are ordinary; the same character
 * elsewhere is not.
 */

/** A character, or a run of characters, that does not show. Positions are UTF-16 offsets. */
export type InvisibleRun = { readonly start: number; readonly end: number; readonly kind: 'control' | 'bidi' | 'tag' | 'other' };

/** Controls except tab and line ends, formats, separators, fillers and variation selectors. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115f\u1160\u2800\u3164\uffa0]|\p{Variation_Selector}|[\u034f\u17b4\u17b5]/gu;

const TEXT_CONTROLS: ReadonlySet<string> = new Set(['\t', '\n']);
const BIDI = /^[\u202a-\u202e\u2066-\u2069]$/u;
const TAG = /^[\u{e0000}-\u{e007f}]$/u;
const MARKS = /^[\u061c\u200e\u200f]$/u;
const SELECTORS = /^[\ufe0e\ufe0f]$/u;
const JOINERS = /^[\u200c\u200d]$/u;
/** Scripts in which joiners change how letters connect. */
const JOINED_SCRIPT =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const EMOJI_PART = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f/u;
const SELECTABLE = /[\p{Emoji}\p{Extended_Pictographic}\p{Script=Han}]/u;
/** Flags of regions such as Scotland are spelled in tags behind a black flag. */
const FLAG = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{2,6}\u{e007f}/gu;

const before = (text: string, at: number): string => Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? '';
const behind = (text: string, at: number): string => Array.from(text.slice(at, at + 2))[0] ?? '';

const isOrdinaryJoiner = (text: string, at: number): boolean => {
  const [previous, next] = [before(text, at), behind(text, at + 1)];
  if (JOINED_SCRIPT.test(previous)) return true;
  return text.charAt(at) === '\u200d' && EMOJI_PART.test(previous) && EMOJI_PART.test(next);
};

const isOrdinary = (text: string, character: string, at: number, isRightToLeft: () => boolean): boolean => {
  if (TEXT_CONTROLS.has(character)) return true;
  if (character === '\r') return text.charAt(at + 1) === '\n';
  if (JOINERS.test(character)) return isOrdinaryJoiner(text, at);
  if (SELECTORS.test(character)) return SELECTABLE.test(before(text, at));
  return MARKS.test(character) && isRightToLeft();
};

const classify = (character: string): InvisibleRun['kind'] => {
  if (BIDI.test(character)) return 'bidi';
  if (TAG.test(character)) return 'tag';
  return /^\p{Cc}$/u.test(character) ? 'control' : 'other';
};

/** Returns the invisible characters of a text that nothing around them explains, with neighbours of one kind joined. */
export const findInvisible = (text: string): readonly InvisibleRun[] => {
  const flags = Array.from(text.matchAll(FLAG), ({ index, 0: { length } }) => [index, index + length] as const);
  const runs: InvisibleRun[] = [];
  let flag = 0;
  let holdsRightToLeft: boolean | undefined;
  const isRightToLeft = (): boolean => {
    holdsRightToLeft ??= RIGHT_TO_LEFT.test(text);
    return holdsRightToLeft;
  };
  for (const { 0: character, index: start } of text.matchAll(INVISIBLE)) {
    while ((flags[flag]?.[1] ?? Number.POSITIVE_INFINITY) <= start) flag += 1;
    if (start >= (flags[flag]?.[0] ?? Number.POSITIVE_INFINITY) || isOrdinary(text, character, start, isRightToLeft)) continue;
    const [kind, end, last] = [classify(character), start + character.length, runs.at(-1)];
    if (last?.kind === kind && last.end === start) runs[runs.length - 1] = { ...last, end };
    else runs.push({ start, end, kind });
  }
  return runs;
};

const drawn = (text: string): string =>
  Array.from(text, (character) => `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`).join('');

/** Returns a text in which each unexplained invisible character is written as `<U+200B>`. */
export const drawInvisible = (text: string): string => {
  let visible = '';
  let from = 0;
  for (const { start, end } of findInvisible(text)) {
    visible += text.slice(from, start) + drawn(text.slice(start, end));
    from = end;
  }
  return visible + text.slice(from);
};

/** Returns a text without its unexplained invisible characters. */
export const dropInvisible = (text: string): string => {
  let seen = '';
  let from = 0;
  for (const { start, end } of findInvisible(text)) {
    seen += text.slice(from, start);
    from = end;
  }
  return seen + text.slice(from);
};
