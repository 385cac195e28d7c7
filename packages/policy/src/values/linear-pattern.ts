import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { readProgram } from '@svc/solver/automata/pattern-program.ts';
import { scanPattern } from '@svc/solver/automata/scan-pattern.ts';
import { compileSearch } from '@svc/solver/automata/search-text.ts';
import { RE2JS, RE2JSException } from 're2js';
import { translateEcma } from './ecma-pattern.ts';
import { newKeptByBytes } from './kept-by-bytes.ts';

/** A regular expression that searches a text in time linear in its length. */
export type LinearPattern = {
  /** Returns true if it is found anywhere in the text. */
  readonly found: (text: string) => boolean;
  /** Instructions of the compiled program. */
  readonly size: number;
  /** Estimated upper bound, in nanoseconds per character. */
  readonly perCharacter: number;
  /** Estimated microseconds to compile it, from its text. */
  readonly work: number;
};

/** The syntax of a pattern: RE2, RE2 ignoring case, or JSON Schema (ECMA-262). */
export type PatternSyntax = 're2' | 're2-any-case' | 'ecma';

export type PatternBounds = { readonly length_max: number; readonly size_max: number; readonly work_max: number };

type Fault = { readonly fault: string };

/** Compiled patterns of all tenants; a version or a schema that is loaded again finds its own here. */
const KEPT_BYTES_MAX = 16_777_216;
const kept = newKeptByBytes<LinearPattern | Fault>(KEPT_BYTES_MAX);
const FAULT_BYTES = 1_000;

const NOT_RE2 = 'Invalid RE2 pattern (lookaround and backreferences are not supported)';

/** Returns the pattern in the syntax of RE2. A schema pattern that is not valid ECMA-262, such as `(?i)a`, is read as RE2. */
const re2Source = (written: string, syntax: PatternSyntax): string | Fault => {
  const translated = syntax === 'ecma' ? translateEcma(written) : null;
  if (translated === null) return written;
  return 'fault' in translated ? { fault: `Unsupported pattern: ${translated.fault}` } : translated.source;
};

/** Returns the schema pattern in the syntax of RE2; null if it is not supported. */
export const schemaPatternSource = (written: string): string | null => {
  const source = re2Source(written, 'ecma');
  return typeof source === 'string' ? source : null;
};

/** Returns the estimated microseconds to compile a pattern, without compiling it. */
export const patternWork = (written: string, syntax: PatternSyntax): number => {
  const source = re2Source(written, syntax);
  return scanPattern(typeof source === 'string' ? source : written, syntax === 're2-any-case').work;
};

const tooMuchWork = (source: string, syntax: PatternSyntax, most: number): string | null => {
  const { steps, work, unicodeClasses } = scanPattern(source, syntax === 're2-any-case');
  if (work <= most) return null;
  const classes = unicodeClasses === 0 ? '' : `, fewer classes such as \\pL (it has ${unicodeClasses})`;
  return `Compiling the pattern (about ${steps} steps) would take ${work} units of work; the maximum is ${most}. Use smaller repetitions${classes} and, for case-insensitive matching, narrower ranges.`;
};

const compile = (written: string, syntax: PatternSyntax, bounds: PatternBounds): (LinearPattern & { readonly bytes: number }) | Fault => {
  const source = re2Source(written, syntax);
  if (typeof source !== 'string') return source;
  const fault = tooMuchWork(source, syntax, bounds.work_max);
  if (fault !== null) return { fault };
  const pattern = RE2JS.compile(source, syntax === 're2-any-case' ? RE2JS.CASE_INSENSITIVE : 0);
  const size = pattern.programSize();
  if (size > bounds.size_max)
    return { fault: `The pattern takes ${size} steps; the maximum is ${bounds.size_max}. Use smaller repetitions or several conditions.` };
  const program = readProgram(pattern);
  const search = program && compileSearch(program);
  if (!search) return { fault: 'The pattern has too many characters or alternatives; use several simpler patterns.' };
  const { work } = scanPattern(source, syntax === 're2-any-case');
  return { ...search, size, work };
};

/**
 * Compiles a pattern without lookaround and backreferences, or returns a correction. The cost is estimated from its text first, so that no
 * pattern takes more than a few milliseconds; compiled patterns are cached.
 */
export const compileLinear = (written: string, syntax: PatternSyntax, bounds: PatternBounds): LinearPattern | Fault => {
  if (written.length > bounds.length_max) return { fault: `A pattern must be at most ${bounds.length_max} characters.` };
  const key = `${syntax} ${bounds.size_max} ${written}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  try {
    const compiled = compile(written, syntax, bounds);
    kept.keep(key, compiled, key.length * 2 + ('fault' in compiled ? FAULT_BYTES : compiled.bytes));
    return compiled;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const fault = { fault: `${NOT_RE2} (${error.message}).` };
    kept.keep(key, fault, key.length * 2 + FAULT_BYTES);
    return fault;
  }
};

const POLICY_BOUNDS: PatternBounds = {
  length_max: POLICY_LIMITS.pattern_length_max,
  size_max: POLICY_LIMITS.pattern_size_max,
  work_max: POLICY_LIMITS.pattern_work_max,
};

/** Compiles the pattern of a condition. */
export const compilePattern = (source: string, ignoreCase: boolean): LinearPattern | Fault => {
  if (source === '') return { fault: 'This operator requires a non-empty pattern, for example "^[A-Z]{2}[0-9]+$".' };
  return compileLinear(source, ignoreCase ? 're2-any-case' : 're2', POLICY_BOUNDS);
};
