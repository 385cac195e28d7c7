import { maskSecretText } from '@svc/policy/masks/mask-secrets.ts';

/** What no reader could see, what is blank and no space, and what would turn the text around it. Breaks and tabs of a text are among them. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const BREAKS = /\r\n?|[\u2028\u2029]/g;

/** As many marks stand on one letter at most: more of them reach into the lines around it. */
const MARKS = /(\p{M}{4})\p{M}+/gu;

const NOTHING = '(no visible text)';

/**
 * Text of others as people may be shown it: secrets masked, lines kept, nothing that hides, reorders or covers what stands beside it. Says so
 * where nothing is left of it.
 */
export const shownText = (text: string): string => {
  const seen = text
    .replace(BREAKS, '\n')
    .replace(UNSEEN, (sign) => (sign === '\n' || sign === '\t' ? sign : ''))
    .replace(MARKS, '$1');
  return seen.trim() === '' && text !== '' ? NOTHING : maskSecretText(seen);
};
