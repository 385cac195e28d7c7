/** Line ends, what steers a terminal, and what turns the direction of writing or stands unseen; but for the two joiners that scripts are written with. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const spelled = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** A line as it may be printed, whoever wrote what is in it: what would steer the terminal stands there spelled out. */
export const shownLine = (line: string): string => line.replace(UNSEEN, spelled);
