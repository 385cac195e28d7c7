import { maskSecretText } from '@svc/policy/masks/mask-secrets.ts';

/**
 * Invisible characters, blank characters other than space, and those that change the writing direction. Breaks and tabs of a text are among
 * them.
 */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const BREAKS = /\r\n?|[\u2028\u2029]/g;

/** The maximum number of combining marks per letter: more of them reach into the lines around it. */
const MARKS = /(\p{M}{4})\p{M}+/gu;

const NOTHING = '(no visible text)';

/**
 * Returns third-party text that is safe to show: secrets masked, lines kept, nothing that hides, reorders or covers the text around it.
 * Says so
 * if nothing is left.
 */
export const sanitizeText = (text: string): string => {
  const seen = text
    .replace(BREAKS, '\n')
    .replace(UNSEEN, (sign) => (sign === '\n' || sign === '\t' ? sign : ''))
    .replace(MARKS, '$1');
  return seen.trim() === '' && text !== '' ? NOTHING : maskSecretText(seen);
};
