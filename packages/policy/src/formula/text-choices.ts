import type { FieldCondition } from '@svc/contract/policies/language.ts';
import { type Automaton, beginsWith, endsWith, includes, oneOfTexts } from '@svc/solver/automata/automaton.ts';
import { exploreTexts } from '@svc/solver/automata/explore-texts.ts';
import { foundIn } from '@svc/solver/automata/pattern-automaton.ts';
import type { Fuel } from '@svc/solver/fuel.ts';
import { TRUE } from '../evaluation/outcome.ts';
import type { FieldRow } from '../language/field-row.ts';
import { FIELD_TYPES } from '../language/field-types.ts';
import { addressPattern, ignoringCase, pathsUnder } from '../values/text-readings.ts';
import type { Atom } from './formula.ts';

/** Texts of which every other one is judged as one of them is, unless it is not `complete`. */
export type TextChoices = { readonly texts: readonly string[]; readonly complete: boolean };

const spelled = (row: FieldRow, text: string): string => FIELD_TYPES[row.type].canonical?.(text) ?? text;

/** Every text that the conditions name whole. */
export const namedTexts = (atoms: readonly Atom[]): string[] => [
  ...new Set(
    atoms.flatMap(({ field, condition: { op, value } }) =>
      ['eq', 'neq', 'in', 'not_in'].includes(op)
        ? [value].flat().flatMap((one) => (typeof one === 'string' ? [spelled(field.row, one)] : []))
        : [],
    ),
  ),
];

/** The pattern that a reading of whole texts is, by its operator and value. */
const READINGS: Partial<Record<FieldCondition['op'], (value: FieldCondition['value']) => string>> = {
  eq_ignore_case: (value) => ignoringCase(String(value)),
  path_under: (value) => pathsUnder(String(value)),
  email_domain_in: (value) => addressPattern([value].flat().map(String)),
};

/** True for an operator that reads whole texts in its own way. */
export const readsTexts = (op: FieldCondition['op']): boolean => READINGS[op] !== undefined;

const MAKERS: Partial<Record<FieldCondition['op'], (piece: string, ignoreCase: boolean) => Automaton | null>> = {
  starts_with: beginsWith,
  ends_with: endsWith,
  contains: includes,
  not_contains: includes,
  matches: foundIn,
};

/** A condition that looks into a text, as an automaton; null where it cannot be followed. */
type Judge = { readonly atom: Atom; readonly automaton: Automaton | null };

/** Each such condition once. */
const judgesOf = (atoms: readonly Atom[]): Judge[] => {
  const judges = new Map<string, Judge>();
  for (const atom of atoms) {
    const { field, condition } = atom;
    const reading = READINGS[condition.op]?.(condition.value);
    if (reading !== undefined) {
      if (!judges.has(reading)) judges.set(reading, { atom, automaton: foundIn(reading, false) });
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

/** Whether the engine says of a text what the automata said, so that no difference between them could go unseen. */
const isAsFollowed = (judges: readonly Judge[], found: string, text: string): boolean =>
  judges.every(({ atom }, index) => (atom.judge(text) === TRUE) === ((found[index] === '1') === (atom.condition.op !== 'not_contains')));

const accepts = (automaton: Automaton, text: string): boolean => {
  let state = automaton.start;
  for (const character of text) state = automaton.step(state, character.codePointAt(0) ?? 0);
  return automaton.accepts(state);
};

const within = new Map<string, Automaton>();
const languageOf = (pattern: string): Automaton => {
  const known = within.get(pattern) ?? foundIn(pattern, false);
  if (known === null) throw new Error(`the spelling of a field cannot be followed: ${pattern}`);
  within.set(pattern, known);
  return known;
};

/** All that conditions on one text can tell apart, among texts of a spelling (a pattern) and beside those that are left out. */
export const textChoices = (
  atoms: readonly Atom[],
  { spelling, leftOut = [] }: { readonly spelling?: string | undefined; readonly leftOut?: readonly string[] },
  fuel: Fuel,
): TextChoices => {
  const language = spelling === undefined ? null : languageOf(spelling);
  const named = namedTexts(atoms).filter((text) => !leftOut.includes(text) && (language === null || accepts(language, text)));
  const judges = judgesOf(atoms);
  const followed = judges.filter(({ automaton }) => automaton !== null);
  const without = [...named, ...leftOut];
  const { texts, complete } = exploreTexts(
    {
      judges: followed.flatMap(({ automaton }) => automaton ?? []),
      within: language === null ? [] : [language],
      without: without.length === 0 ? null : oneOfTexts(without),
    },
    fuel,
  );
  const isTrusted = [...texts].every(([found, text]) => isAsFollowed(followed, found, text));
  return { texts: [...named, ...texts.values()], complete: complete && isTrusted && followed.length === judges.length };
};

/** Whether a condition says unforeseen things of texts that nobody named. */
export const looksIntoTexts = ({ condition }: Atom): boolean => MAKERS[condition.op] !== undefined && typeof condition.value === 'string';
