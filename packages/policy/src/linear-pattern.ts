import { POLICY_LIMITS } from '@svc/contract/policy-language.ts';
import { RE2JS, RE2JSException } from 're2js';

/** A regular expression whose time grows with the length of the text alone, whatever it says. */
export type LinearPattern = {
  /** Whether it is found anywhere in the text. */
  readonly found: (text: string) => boolean;
  /** Instructions of the compiled program: what one character can cost at most. */
  readonly size: number;
};

/** The engine remembers the states it has met, up to megabytes for a hostile pair of pattern and text; they are dropped after this much text. */
const CHARACTERS_PER_MEMORY = 65_536;

const withMemoryBound = (pattern: RE2JS): LinearPattern['found'] => {
  let searched = 0;
  return (text) => {
    searched += text.length;
    if (searched > CHARACTERS_PER_MEMORY) {
      pattern.reset();
      searched = text.length;
    }
    return pattern.test(text);
  };
};

/** Compiles a pattern in the syntax of RE2, which has neither lookaround nor backreferences, or says what would be right. */
export const compilePattern = (source: string, ignoreCase: boolean): LinearPattern | { readonly fault: string } => {
  const { pattern_length_max, pattern_size_max } = POLICY_LIMITS;
  if (source === '') return { fault: 'This operator takes a pattern that is not empty, for example "^[A-Z]{2}[0-9]+$".' };
  if (source.length > pattern_length_max) return { fault: `A pattern has at most ${pattern_length_max} characters.` };
  try {
    const pattern = RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    const size = pattern.programSize();
    if (size > pattern_size_max) {
      return { fault: `The pattern takes ${size} steps and may take ${pattern_size_max}; use smaller repetitions or several conditions.` };
    }
    return { found: withMemoryBound(pattern), size };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return { fault: `This is no pattern in the syntax of RE2, which has no lookaround and no backreferences (${error.message}).` };
  }
};
