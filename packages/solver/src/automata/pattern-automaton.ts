import { RE2JS } from 're2js';
import type { Automaton } from './automaton.ts';
import { type BoundarySide, classifySide, conditionsBetween, EDGE } from './boundaries.ts';
import { isReading } from './character-classes.ts';
import {
  ALT,
  ALT_MATCH,
  CAPTURE,
  EMPTY_WIDTH,
  MATCH,
  NOP,
  type PatternProgram,
  type PatternStep,
  RUNE,
  RUNE_ANY,
  RUNE_ANY_NOT_NL,
  RUNE1,
  readProgram,
} from './pattern-program.ts';

const NEWLINE = 10;
const FOLD_CASE = 1;

type State = { readonly places: readonly number[]; readonly before: BoundarySide; readonly found: boolean };

/** Returns the reading steps that can be reached without reading, and if the end of the pattern can [epsilon closure of a Thompson NFA]. */
const reach = (program: PatternProgram, places: readonly number[], holds: number): { reading: PatternStep[]; found: boolean } => {
  const seen = new Set<number>();
  const open = [...places];
  const reading: PatternStep[] = [];
  let found = false;
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const step = program.steps[place];
    if (step === undefined || seen.has(place)) continue;
    seen.add(place);
    if (step.op === MATCH) found = true;
    else if (isReading(step)) reading.push(step);
    else if (step.op === ALT || step.op === ALT_MATCH) open.push(step.out, step.arg);
    else if (step.op === NOP || step.op === CAPTURE) open.push(step.out);
    else if (step.op === EMPTY_WIDTH && (step.arg & ~holds) === 0) open.push(step.out);
  }
  return { reading, found };
};

const reads = (step: PatternStep, code: number): boolean => {
  if (step.op === RUNE_ANY) return true;
  return step.op === RUNE_ANY_NOT_NL ? code !== NEWLINE : step.matchRune(code);
};

let casedCodes: readonly number[] | null = null;

/** Returns all characters that have another case. */
const cased = (): readonly number[] => {
  casedCodes ??= Array.from({ length: 0x20000 }, (_, code) => code).filter((code) =>
    /[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/u.test(String.fromCodePoint(code)),
  );
  return casedCodes;
};

const listBounds = (step: PatternStep): number[] => {
  if (step.op === RUNE_ANY_NOT_NL) return [NEWLINE, NEWLINE + 1];
  if (step.op === EMPTY_WIDTH) return [NEWLINE, NEWLINE + 1, 48, 58, 65, 91, 95, 96, 97, 123];
  if (step.op !== RUNE && step.op !== RUNE1) return [];
  const runes = Array.from(step.runes);
  const [first] = runes;
  if (runes.length !== 1 || first === undefined) return runes.map((code, index) => (index % 2 === 0 ? code : code + 1));
  const alike = (step.arg & FOLD_CASE) === 0 ? [] : cased().filter((code) => step.matchRune(code));
  return [first, ...alike].flatMap((code) => [code, code + 1]);
};

const getKey = ({ places, before, found }: State): string => (found ? 'found' : `${before} ${places.join()}`);

/**
 * Accepts texts in which a pattern is found, by the steps of the engine that will search them; null if those cannot be simulated [lazy
 * subset construction].
 */
export const buildPatternAutomaton = (source: string, ignoreCase: boolean): Automaton | null => {
  const program = readProgram(RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0));
  if (program === null) return null;
  const states: State[] = [];
  const numbers = new Map<string, number>();
  const getNumber = (state: State): number => {
    const key = getKey(state);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, states.length);
    return states.push(state) - 1;
  };
  const readers = [...new Set(program.steps)].filter(isReading);
  const ends = new Map<number, boolean>();
  return {
    start: getNumber({ places: [program.start], before: EDGE, found: false }),
    step: (number, code) => {
      const state = states[number];
      if (state === undefined || state.found) return number;
      const { reading, found } = reach(program, state.places, conditionsBetween(state.before, classifySide(code)));
      const next = reading.filter((step) => reads(step, code)).map(({ out }) => out);
      const places = [...new Set([...next, program.start])].toSorted((left, right) => left - right);
      return getNumber({ places, before: classifySide(code), found });
    },
    accepts: (number) => {
      const known = ends.get(number);
      if (known !== undefined) return known;
      const state = states[number];
      const accepted = state !== undefined && (state.found || reach(program, state.places, conditionsBetween(state.before, EDGE)).found);
      ends.set(number, accepted);
      return accepted;
    },
    bounds: program.steps.flatMap(listBounds),
    signature: (code) => `${classifySide(code)} ${readers.map((step) => (reads(step, code) ? 1 : 0)).join('')}`,
  };
};
