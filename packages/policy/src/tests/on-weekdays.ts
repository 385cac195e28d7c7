import type { Test } from '../evaluation/node.ts';
import { compileIn } from './in.ts';

/** One of the days listed. */
export const compileOnWeekdays = (expected: readonly string[]): Test => compileIn(expected);
