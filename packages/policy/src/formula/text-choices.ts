import type { FieldCondition } from '@svc/contract/policies/language.ts';
import { type Automaton, beginsWith, buildTextsAutomaton, endsWith, includes } from '@svc/solver/automata/automaton.ts';
import { exploreTexts } from '@svc/solver/automata/explore-texts.ts';
import { buildPatternAutomaton } from '@svc/solver/automata/pattern-automaton.ts';
import type { Fuel } from '@svc/solver/fuel.ts';
import { TRUE } from '../evaluation/outcome.ts';
import type { FieldRow } from '../language/field-row.ts';
import { FIELD_TYPES } from '../language/field-types.ts';
import { addressPattern, ignoringCase, pathsUnder } from '../values/text-patterns.ts';
import type { Atom } from './formula.ts';

/** Representative texts, unless it is not `complete`. */
export type TextChoices = { readonly texts: readonly string[]; readonly complete: boolean };

const spelled = (row: FieldRow, text: string): string => FIELD_TYPES[row.type].canonical?.(text) ?? text;

/** Returns every text that the conditions name in full. */
export const listNamedTexts = (atoms: readonly Atom[]): string[] => [
  ...new Set(
    atoms.flatMap(({ field, condition: { op, value } }) =>
      ['eq', 'neq', 'in', 'not_in'].includes(op)
        ? [value].flat().flatMap((one) => (typeof one === 'string' ? [spelled(field.row, one)] : []))
        : [],
    ),
  ),
];

/** The pattern by which an operator reads whole texts, by its operator and value. */
const READINGS: Partial<Record<FieldCondition['op'], (value: FieldCondition['value']) => string>> = {
  eq_ignore_case: (value) => ignoringCase(String(value)),
  path_under: (value) => pathsUnder(String(value)),
  email_domain_in: (value) => addressPattern([value].flat().map(String)),
};

/** Returns true for an operator that reads whole texts in its own way. */
export const readsTexts = (op: FieldCondition['op']): boolean => READINGS[op] !== undefined;

const MAKERS: Partial<Record<FieldCondition['op'], (piece: string, ignoreCase: boolean) => Automaton | null>> = {
  starts_with: beginsWith,
  ends_with: endsWith,
  contains: includes,
  not_contains: includes,
  matches: buildPatternAutomaton,
};

/** A condition that searches a text, as an automaton; null if it cannot be simulated. */
type Judge = { readonly atom: Atom; readonly automaton: Automaton | null };

/** Returns each such condition once. */
const listJudges = (atoms: readonly Atom[]): Judge[] => {
  const judges = new Map<string, Judge>();
  for (const atom of atoms) {
    const { field, condition } = atom;
    const reading = READINGS[condition.op]?.(condition.value);
    if (reading !== undefined) {
      if (!judges.has(reading)) judges.set(reading, { atom, automaton: buildPatternAutomaton(reading, false) });
      continue;
    }
    const make = MAKERS[condition.op];
    if (make === undefined || typeof condition.value !== 'string') continue;
    const { type } = field.row;
    const piece = condition.op === 'matches' ? condition.value : (FIELD_TYPES[type].canonicalPiece?.(condition.value) ?? condition.value);
    const key = `${condition.op === 'not_contains' ? 'contains' : condition.op} ${piece}`;
    if (!judges.has(key)) judges.set(key, { atom, automaton: make(piece, type === 'host') });
  }
  return [...judges.values()];
};

/** Returns true if the engine agrees with the automata about a text, so that no difference between them can go unnoticed. */
const isAsFollowed = (judges: readonly Judge[], found: string, text: string): boolean =>
  judges.every(({ atom }, index) => (atom.judge(text) === TRUE) === ((found[index] === '1') === (atom.condition.op !== 'not_contains')));

const accepts = (automaton: Automaton, text: string): boolean => {
  let state = automaton.start;
  for (const character of text) state = automaton.step(state, character.codePointAt(0) ?? 0);
  return automaton.accepts(state);
};

const within = new Map<string, Automaton>();
const getLanguage = (pattern: string): Automaton => {
  const known = within.get(pattern) ?? buildPatternAutomaton(pattern, false);
  if (known === null) throw new Error(`the spelling of a field cannot be followed: ${pattern}`);
  within.set(pattern, known);
  return known;
};

/** Returns all combinations that conditions on one text can distinguish, among texts of a pattern and without the excluded ones. */
export const listTextChoices = (
  atoms: readonly Atom[],
  { spelling, leftOut = [] }: { readonly spelling?: string | undefined; readonly leftOut?: readonly string[] },
  fuel: Fuel,
): TextChoices => {
  const language = spelling === undefined ? null : getLanguage(spelling);
  const named = listNamedTexts(atoms).filter((text) => !leftOut.includes(text) && (language === null || accepts(language, text)));
  const judges = listJudges(atoms);
  const followed = judges.filter(({ automaton }) => automaton !== null);
  const without = [...named, ...leftOut];
  const { texts, complete } = exploreTexts(
    {
      judges: followed.flatMap(({ automaton }) => automaton ?? []),
      within: language === null ? [] : [language],
      without: without.length === 0 ? null : buildTextsAutomaton(without),
    },
    fuel,
  );
  const isTrusted = [...texts].every(([found, text]) => isAsFollowed(followed, found, text));
  return { texts: [...named, ...texts.values()], complete: complete && isTrusted && followed.length === judges.length };
};

/** Returns true if the outcome of a condition is unpredictable for texts that no rule names. */
export const looksIntoTexts = ({ condition }: Atom): boolean => MAKERS[condition.op] !== undefined && typeof condition.value === 'string';
