import { compileEq } from './eq.ts';
import type { Test } from './node.ts';

/** Only true itself: the text "true" and the number 1 are unknown. */
export const compileIsTrue = (): Test => compileEq(true);
