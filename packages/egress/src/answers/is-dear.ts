import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Hidden } from '../requests/prove-request.ts';

/** How much there is to look through: characters of body and headers, and how many texts of their own those are at most. */
export type Searched = { readonly chars: number; readonly texts: number };

const { hiddenAtOnceProductMax, quotedHiddenAtOnceCharsMax, hiddenAtOnceTextsMax, sentAtOnceCharsMax } = LIMITS.egress;

/** What holds quotes or escapes is looked for in a way of its own, which takes longer. */
const QUOTED = /["\\]/;

const charsOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0);

/**
 * Whether hiding these secrets may take longer than a thread that decides can spare. Told by lengths alone, before anything is looked for, so that
 * it holds of pairs of secret and answer too of which nobody knows yet that they take long.
 */
export const isDear = ({ secrets, sent }: Hidden, { chars, texts }: Searched): boolean =>
  charsOf(secrets) * chars > hiddenAtOnceProductMax ||
  secrets.length * texts > hiddenAtOnceTextsMax ||
  secrets.length * charsOf(sent) > sentAtOnceCharsMax ||
  (chars > quotedHiddenAtOnceCharsMax && secrets.some((secret) => QUOTED.test(secret)));
