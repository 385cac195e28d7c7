import type { Test } from '../evaluation/node.ts';
import { compileEq } from './eq.ts';

/** Only true itself: the text "true" and the number 1 are unknown. */
export const compileIsTrue = (): Test => compileEq(true);
