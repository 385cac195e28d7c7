/** What is not seen where it stands, or turns the direction of what stands around it. */
const UNSEEN = /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u007f-\u009f]/gu;

const spelled = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/** A text of JSON, or its beginning: whatever is not seen is spelled out, so that it says the same when read again. */
const spelledOut = (json: string): string => json.replace(UNSEEN, spelled);

/** JSON as people are shown it before they decide. */
export const shownJson = (value: unknown): string => spelledOut(JSON.stringify(value, null, 2));
