/** Characters that are not seen, or that change the direction of the text around them. */
const UNSEEN = /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u007f-\u009f]/gu;
/** Unseen characters of a text, with controls other than tab and line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds
const UNSEEN_IN_TEXT = /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu;

const spelled = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/** Spells out the unseen characters of JSON, or of a part of it, so that it means the same when it is parsed. */
export const escapeInvisible = (json: string): string => json.replace(UNSEEN, spelled);

/** JSON as people are shown it before they decide. */
export const getShownJson = (value: unknown): string => escapeInvisible(JSON.stringify(value, null, 2));

/** A text in which each unseen character is written as `<U+200B>`. */
export const formatDrawn = (text: string): string =>
  text.replace(UNSEEN_IN_TEXT, (character) => `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`);
