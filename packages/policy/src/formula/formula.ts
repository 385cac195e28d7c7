import type { FieldCondition, PolicyCondition, PolicyRule, VersionBody } from '@svc/contract/policies/language.ts';
import { makeReady } from '../conditions/ready-condition.ts';
import { newRun } from '../evaluation/node.ts';
import { FALSE, TRUE, type TruthValue, UNKNOWN } from '../evaluation/outcome.ts';
import { FIELD_TYPES } from '../language/field-types.ts';
import type { PolicyField } from '../language/find-field.ts';
import { isCatchAll } from '../language/is-catch-all.ts';
import { spellCondition } from '../language/spell-condition.ts';
import { below } from '../values/faults.ts';
import type { Cell } from './cells.ts';
import { type ElementPlan, firstList, groupOnElement, NO_ELEMENTS } from './elements.ts';

/** A condition on one field. Equal conditions, in any rule, are one atom. */
export type Atom = {
  readonly field: PolicyField;
  readonly condition: FieldCondition;
  /** The currency of its amount; null for conditions on anything else, and if there is one currency only. */
  readonly currency: string | null;
  /** Evaluates a value with the engine itself; undefined stands for a missing one. */
  readonly judge: (value: unknown) => TruthValue;
};

/** A rule's `when` over the numbers of its atoms. */
export type Formula =
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Formula[] }
  | { readonly kind: 'not'; readonly part: Formula }
  | { readonly kind: 'atom'; readonly atom: number }
  /** True if a list has an element under a key; its name is the path of the element. Never unknown. */
  | { readonly kind: 'element'; readonly name: string }
  /** A part that is not analysed: it can have any outcome, so that nothing is claimed that depends on it. */
  | { readonly kind: 'open'; readonly said: string; readonly searches: boolean };

export type AnalysedRule = {
  readonly rule: PolicyRule;
  readonly position: number;
  readonly formula: Formula;
  /** Its distinct atoms. */
  readonly atoms: readonly number[];
  /** The first position of each atom in the body. */
  readonly pointers: ReadonlyMap<number, string>;
};

export type AnalysedVersion = {
  readonly atoms: readonly Atom[];
  readonly rules: readonly AnalysedRule[];
  /** Cache of cells, by the numbers of their atoms. */
  readonly cells: Map<string, readonly Cell[]>;
};

const judgeOf = (condition: FieldCondition): Pick<Atom, 'field' | 'judge'> => {
  const { field, operator, holds, test } = makeReady(condition, '');
  const { canonical } = FIELD_TYPES[field.row.type];
  const judge = (value: unknown): TruthValue => {
    if (value === undefined || value === null) return operator.missing;
    const actual = canonical !== undefined && typeof value === 'string' ? canonical(value) : value;
    return holds(actual) ? test(actual, newRun(Number.POSITIVE_INFINITY)) : UNKNOWN;
  };
  return { field, judge };
};

/** Fields whose value depends on the currency of a version. */
export const WRITTEN_IN_CURRENCY: ReadonlySet<string> = new Set(['amount', 'velocity.amount_24h']);

type Table = { readonly atoms: Atom[]; readonly numbers: Map<string, number> };

const getNumber = (table: Table, written: FieldCondition, writtenIn: string | null): number => {
  const condition = spellCondition(written);
  const currency = WRITTEN_IN_CURRENCY.has(condition.field) ? writtenIn : null;
  const key = JSON.stringify([condition.field, condition.op, condition.value, condition.quantifier, currency]);
  const known = table.numbers.get(key);
  if (known !== undefined) return known;
  table.atoms.push({ ...judgeOf(condition), condition, currency });
  table.numbers.set(key, table.atoms.length - 1);
  return table.atoms.length - 1;
};

/** `searches` is true if a pattern is searched in the elements, whose texts may be too long for that. */
const openGroup = (condition: PolicyCondition): Formula => {
  const said = JSON.stringify(condition);
  return { kind: 'open', said, searches: said.includes('"op":"matches"') };
};

/** Returns true if a pattern is searched in a part that is not analysed. */
export const searchesElements = (formula: Formula): boolean => {
  if (formula.kind === 'open') return formula.searches;
  if (formula.kind === 'not') return searchesElements(formula.part);
  return formula.kind !== 'atom' && formula.kind !== 'element' && formula.parts.some(searchesElements);
};

type Reading = Table & { readonly currency: string | null; readonly plan: ElementPlan };

const withElements = (
  list: readonly string[],
  keys: readonly string[],
  quantifier: 'any' | 'all',
  readOne: (key: string) => Formula,
): Formula => ({
  kind: quantifier,
  parts: keys.map((key): Formula => {
    const isThere: Formula = { kind: 'element', name: [...list, key].join('.') };
    return quantifier === 'any'
      ? { kind: 'all', parts: [isThere, readOne(key)] }
      : { kind: 'any', parts: [{ kind: 'not', part: isThere }, readOne(key)] };
  }),
});

const read = (table: Reading, pointers: Map<number, string>, condition: PolicyCondition, pointer: string): Formula => {
  const readAll = (parts: readonly PolicyCondition[], name: string): Formula[] =>
    parts.map((part, index) => read(table, pointers, part, below(below(pointer, name), index)));
  if ('all' in condition) return { kind: 'all', parts: readAll(condition.all, 'all') };
  if ('any' in condition) return { kind: 'any', parts: readAll(condition.any, 'any') };
  if ('not' in condition) return { kind: 'not', part: read(table, pointers, condition.not, below(pointer, 'not')) };
  const name = 'any_element' in condition ? condition.any_element.of : condition.field;
  const list = firstList(name);
  const keys = list === undefined ? undefined : table.plan.keysAt(list);
  if (list !== undefined && keys !== undefined) {
    const at = 'any_element' in condition ? below(below(pointer, 'any_element'), 'meets') : pointer;
    const quantifier = 'any_element' in condition ? 'any' : (condition.quantifier ?? 'any');
    return withElements(list, keys, quantifier, (key) => read(table, pointers, groupOnElement(condition, list, key), at));
  }
  if ('any_element' in condition) return openGroup(condition);
  const atom = getNumber(table, condition, table.currency);
  if (!pointers.has(atom)) pointers.set(atom, pointer);
  return { kind: 'atom', atom };
};

/**
 * Reads rules that passed validation. `currencies` contains, by position, the currency of their amounts if they differ. Conditions on
 * elements of a list are expanded for the elements in `plan`.
 */
export const readFormulas = (
  { rules }: Pick<VersionBody, 'rules'>,
  currencies: readonly string[] = [],
  plan: ElementPlan = NO_ELEMENTS,
): AnalysedVersion => {
  const table: Table = { atoms: [], numbers: new Map() };
  const analysed = rules.map((rule, position): AnalysedRule => {
    const pointers = new Map<number, string>();
    const currency = currencies[position] ?? null;
    const formula: Formula = isCatchAll(rule.when)
      ? { kind: 'all', parts: [] }
      : read({ ...table, currency, plan }, pointers, rule.when as PolicyCondition, `/rules/${position}/when`);
    return { rule, position, formula, atoms: [...pointers.keys()], pointers };
  });
  return { atoms: table.atoms, rules: analysed, cells: new Map() };
};

/** The minimum and maximum outcome that each atom can still have, by its number. */
export type AtomBounds = { readonly least: Uint8Array; readonly greatest: Uint8Array };

export const nothingKnown = (atoms: number): AtomBounds => ({
  least: new Uint8Array(atoms).fill(FALSE),
  greatest: new Uint8Array(atoms).fill(TRUE),
});

/** Returns the minimum outcome that a formula can still have. */
export const computeLeast = (formula: Formula, known: AtomBounds): number => {
  if (formula.kind === 'atom') return known.least[formula.atom] ?? FALSE;
  if (formula.kind === 'open' || formula.kind === 'element') return FALSE;
  if (formula.kind === 'not') return TRUE - computeGreatest(formula.part, known);
  const parts = formula.parts.map((part) => computeLeast(part, known));
  return formula.kind === 'all' ? Math.min(TRUE, ...parts) : Math.max(FALSE, ...parts);
};

/** Returns the maximum outcome that a formula can still have. */
export const computeGreatest = (formula: Formula, known: AtomBounds): number => {
  if (formula.kind === 'atom') return known.greatest[formula.atom] ?? TRUE;
  if (formula.kind === 'open' || formula.kind === 'element') return TRUE;
  if (formula.kind === 'not') return TRUE - computeLeast(formula.part, known);
  const parts = formula.parts.map((part) => computeGreatest(part, known));
  return formula.kind === 'all' ? Math.min(TRUE, ...parts) : Math.max(FALSE, ...parts);
};
