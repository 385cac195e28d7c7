import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Hidden } from '../requests/prove-request.ts';

/** The amount of text to search: characters of body and headers, and the maximum number of separate texts. */
export type SearchedText = { readonly chars: number; readonly texts: number };

const { hiddenAtOnceProductMax, quotedHiddenAtOnceCharsMax, hiddenAtOnceTextsMax, sentAtOnceCharsMax } = LIMITS.egress;

/** Secrets with quotes or escapes need a separate search, which takes longer. */
const QUOTED = /["\\]/;

const getChars = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0);

/**
 * Returns true if masking these secrets may take longer than the decision thread can spare. Estimated from lengths alone, before any
 * search, so
 * that it also covers pairs of secret and response that are not known to be slow.
 */
export const isSlowToMask = ({ secrets, sent }: Hidden, { chars, texts }: SearchedText): boolean =>
  getChars(secrets) * chars > hiddenAtOnceProductMax ||
  secrets.length * texts > hiddenAtOnceTextsMax ||
  secrets.length * getChars(sent) > sentAtOnceCharsMax ||
  (chars > quotedHiddenAtOnceCharsMax && secrets.some((secret) => QUOTED.test(secret)));
