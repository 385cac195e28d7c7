/**
 * Line breaks, terminal control characters, and characters that change the direction of writing or are invisible; except for the two
 * joiners that scripts need.
 */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const spelled = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** Escapes a line for printing: terminal control characters become visible, from every author. */
export const escapeLine = (line: string): string => line.replace(UNSEEN, spelled);
