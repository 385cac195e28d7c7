import { compileEq } from './eq.ts';
import type { Test } from './node.ts';

/** Only false itself: an absent value, an empty text and 0 are unknown. */
export const compileIsFalse = (): Test => compileEq(false);
