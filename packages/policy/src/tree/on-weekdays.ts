import { compileIn } from './in.ts';
import type { Test } from './node.ts';

/** One of the days listed. */
export const compileOnWeekdays = (expected: readonly string[]): Test => compileIn(expected);
