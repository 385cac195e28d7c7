import { AUTH_LIMITS } from './limits/auth-limits.ts';

const { charsMin, charsBesideFactorMin, charsMax } = AUTH_LIMITS.passwords;

/** The rule in one sentence, for pages, refusals and documents. */
export const PASSWORD_LENGTH_RULE = `At least ${charsMin} characters if it is the only factor, ${charsBesideFactorMin} with a second factor, ${charsMax} at most.`;
