import { RE2JS, RE2JSException } from 're2js';

/** A regular expression that any text can be tested against in time proportional to its length. */
export type LinearPattern = {
  readonly test: (text: string) => boolean;
  /** Instructions of the compiled program: what one character can cost at most. */
  readonly size: number;
};

const sourceMax = 1000;
const sizeMax = 2500;
/** The engine remembers states it has met, up to megabytes for a hostile pair of pattern and text; they are dropped after this much text. */
const charactersPerMemory = 65_536;

/**
 * Compiles a pattern as JSON Schema writes it (ECMA-262), for the RE2 engine: no lookaround and no backreferences, which no engine can match
 * in linear time; `\s`, `\d` and `\w` mean ASCII. Unanchored, as JSON Schema wants it.
 */
export const compileLinearPattern = (source: string): LinearPattern | { readonly fault: string } => {
  if (source.length > sourceMax) return { fault: `must be at most ${sourceMax} characters long` };
  const compile = () => RE2JS.compile(RE2JS.translateRegExp(source));
  try {
    let pattern = compile();
    let tested = 0;
    const size = pattern.programSize();
    if (size > sizeMax) return { fault: `must be simpler: it makes ${size} steps, at most ${sizeMax} are allowed` };
    const test = (text: string): boolean => {
      tested += text.length;
      if (tested > charactersPerMemory) {
        pattern = compile();
        tested = text.length;
      }
      return pattern.test(text);
    };
    return { test, size };
  } catch (error) {
    if (error instanceof RE2JSException) return { fault: 'must be a regular expression without lookaround or backreferences' };
    throw error;
  }
};
