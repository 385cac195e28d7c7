import { LIMITS } from '@svc/contract/tables/limits.ts';
import { compileLinear, type LinearPattern, type PatternBounds, patternWork } from '@svc/policy/values/linear-pattern.ts';

const { patternLengthMax, patternStepsMax, patternWorkMax } = LIMITS.tools;
const BOUNDS: PatternBounds = { length_max: patternLengthMax, size_max: patternStepsMax, work_max: patternWorkMax };

/**
 * Compiles a pattern as JSON Schema writes it (ECMA-262), for an engine without lookaround and backreferences, which no engine can match in
 * linear time; `\s`, `\d` and `\w` mean ASCII. Unanchored, as JSON Schema wants it.
 */
export const compileLinearPattern = (source: string): LinearPattern | { readonly fault: string } => compileLinear(source, 'ecma', BOUNDS);

/** Returns the estimated cost of compiling the pattern, in the units of `patternWorkMax`. */
export const linearPatternWork = (source: string): number => patternWork(source, 'ecma');
