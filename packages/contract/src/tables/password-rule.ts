import { LIMITS } from './limits.ts';

const { charsMin, charsBesideFactorMin, charsMax } = LIMITS.passwords;

/** The rule in one sentence, for pages, refusals and documents. */
export const PASSWORD_LENGTH_RULE = `At least ${charsMin} characters if it is the only factor, ${charsBesideFactorMin} with a second factor, ${charsMax} at most.`;
