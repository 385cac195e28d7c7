import type { Test } from '../evaluation/node.ts';
import { compileEq } from './eq.ts';

/** Only false itself: an absent value, an empty text and 0 are unknown. */
export const compileIsFalse = (): Test => compileEq(false);
