import type { Fuel } from '@svc/solver/fuel.ts';
import { outcomeOnPart } from '../conditions/outcome-on-part.ts';
import type { TruthValue } from '../evaluation/outcome.ts';
import { listAddressCandidates } from '../formula/address-candidates.ts';
import type { Atom } from '../formula/formula.ts';
import { listWholeCandidates } from '../formula/number-candidates.ts';
import { listTextChoices, looksIntoTexts } from '../formula/text-choices.ts';
import type { FieldRow } from '../language/field-row.ts';
import { findField } from '../language/find-field.ts';
import { whyNeverKnown } from '../language/never-known.ts';
import { listAskerChoices } from './asker-choices.ts';
import { type Choice, type Domain, listDistinctChoices, OPEN, PART } from './choice.ts';
import { contractSpelling, isAlwaysThere } from './field-spellings.ts';
import type { ProofScope, ScopeBounds } from './place.ts';
import { listClockChoices, listDateChoices, listDestinationChoices } from './tied-choices.ts';
import { listJsonChoices } from './value-choices.ts';

/** Dependent fields, by the name of the first. */
const TIED: Readonly<Record<string, string>> = {
  capability: 'tool.capability',
  'time.hour': 'time.clock',
  'time.weekday': 'time.date',
  'destination.ip': 'destination.host',
};
/** The requester is the agent itself or another principal; the two are only tied together if a rule reads the identifier. */
const ASKER: readonly string[] = ['principal.id', 'principal.type', 'agent.id'];

/** An amount of zero is zero in every currency, and no other amount is. */
export const NOTHING = 'nothing';

type Scene = { readonly fuel: Fuel; readonly bounds: ScopeBounds; readonly marked: readonly string[] };

const getRow = (name: string): FieldRow => {
  const field = findField(name);
  if ('fault' in field) throw new Error(field.fault);
  return field.row;
};

const chosen = (atoms: readonly Atom[], names: readonly string[], value: unknown, mark = ''): Choice => ({
  outcomes: atoms.map((atom) => atom.judge(value)),
  values: Object.fromEntries(names.map((name) => [name, value])),
  tooLong: false,
  mark: value === undefined ? 'missing' : mark,
});

const stringChoices = (names: readonly string[], atoms: readonly Atom[], { fuel, bounds, marked }: Scene): Choice[] => {
  const [name = ''] = names;
  const spelling = contractSpelling(name);
  const marks = marked.filter((text) => !(bounds.not ?? []).includes(text));
  const { texts, complete } = listTextChoices(atoms, { spelling, leftOut: [...(bounds.not ?? []), ...marks] }, fuel);
  const known = [...texts, ...marks].map((text) => chosen(atoms, names, text, marks.includes(text) ? text : ''));
  if (complete) return known;
  const open = atoms.map((atom) => (looksIntoTexts(atom) ? OPEN : atom.judge('text')));
  return [...known, { outcomes: open, values: null, tooLong: false, mark: '' }];
};

const plainChoices = (row: FieldRow, names: readonly string[], atoms: readonly Atom[], scene: Scene): Choice[] => {
  const conditions = atoms.map(({ condition }) => condition);
  const of = (values: readonly unknown[]): Choice[] => values.map((value) => chosen(atoms, names, value));
  if (scene.bounds.only !== undefined) return [chosen(atoms, names, scene.bounds.only, scene.bounds.only)];
  if (row.values !== undefined) return row.values.map((value) => chosen(atoms, names, value, value));
  if (row.type === 'boolean') return of([true, false]);
  if (row.name === 'amount')
    return listWholeCandidates(row, conditions).map((value) => chosen(atoms, names, value, value === 0 ? NOTHING : ''));
  if (row.type === 'integer' || row.type === 'hour') return of(listWholeCandidates(row, conditions));
  if (row.type === 'ip') return of(listAddressCandidates(conditions));
  return stringChoices(names, atoms, scene);
};

/** The same values if only a part of them is known: no request is shown for those, since the field alone does not say so. */
const onPart = (atoms: readonly Atom[], choices: readonly Choice[]): Choice[] =>
  choices.map((choice) => ({
    ...choice,
    outcomes: choice.outcomes.map((outcome, index) => {
      const op = atoms[index]?.condition.op;
      return outcome === OPEN || op === undefined ? outcome : outcomeOnPart(op, outcome as TruthValue);
    }),
    values: null,
  }));

const PART_OF_LIST: Choice = { outcomes: [], values: null, tooLong: false, mark: PART };

const elementChoices = (atoms: readonly Atom[], names: readonly string[]): Choice[] => {
  const asked = atoms.flatMap(({ condition: { op, value } }) => (/contains/.test(op) && typeof value === 'string' ? [value] : []));
  return [...new Set(asked)].map((value) => ({ outcomes: [], values: { [names[0] ?? '']: value }, tooLong: false, mark: value }));
};

const getDomain = (lead: string, atoms: readonly (readonly [number, Atom])[], scene: Scene): Domain => {
  const numbers = atoms.map(([number]) => number);
  const judges = atoms.map(([, atom]) => atom);
  const fields = [...new Set([lead, ...judges.map(({ field }) => field.name)])];
  const row = getRow(lead);
  const mayBeMissing = !isAlwaysThere(lead);
  const whole = (kind: Domain['kind'], choices: readonly Choice[]): Domain => ({
    kind,
    fields,
    currency: judges[0]?.currency ?? null,
    atoms: numbers,
    choices: kind === 'list' ? choices : listDistinctChoices(choices),
    mayBeMissing,
  });
  if (fields.includes('principal.id')) return whole('one', listAskerChoices(judges, scene.bounds, scene.fuel));
  if (lead === 'time.clock') return whole('one', listClockChoices(judges));
  if (lead === 'time.date') return whole('one', listDateChoices(judges));
  if (lead === 'destination.host') return whole('one', listDestinationChoices(judges, scene.fuel));
  if (row.type === 'json') return whole(judges[0]?.field.wildcard ? 'many' : 'one', listJsonChoices(lead, judges, scene.fuel));
  if (row.type === 'string_list') {
    const elements = elementChoices(judges, fields);
    return whole('list', row.partial === undefined ? elements : [...elements, PART_OF_LIST]);
  }
  const missing = mayBeMissing ? [chosen(judges, fields, undefined)] : [];
  const held = plainChoices(row, fields, judges, scene);
  const plain = [...missing, ...held, ...(row.partial === undefined ? [] : onPart(judges, held))];
  // A sum of many requests, each at the rates of its time: no single request can show it in several currencies.
  const isShown = lead === 'amount' || judges[0]?.currency === null || judges[0]?.currency === undefined;
  return whole('one', isShown ? plain : plain.map((choice) => ({ ...choice, values: null })));
};

/** Values evaluated against conditions, per step of the budget. */
const JUDGED_PER_STEP = 10;

/** Returns the cost of evaluating the values that conditions on one field name against each of them. */
const computePrice = (group: readonly (readonly [number, Atom])[]): number => {
  const values = group.reduce((sum, [, { condition }]) => sum + (Array.isArray(condition.value) ? condition.value.length : 1), 0);
  return Math.ceil((group.length * values) / JUDGED_PER_STEP);
};

/**
 * Returns the fields that conditions read and that requests can contain, each with the values they distinguish in one scope; none if that
 * would exceed the budget,
 * which `fuel` then shows.
 */
export const computeDomains = (atoms: readonly Atom[], place: Pick<ProofScope, 'bounds'>, fuel: Fuel): Domain[] => {
  const groups = new Map<string, [number, Atom][]>();
  const asksWho = atoms.some(({ field }) => field.name === 'principal.id');
  const getLead = (name: string): string => (asksWho && ASKER.includes(name) ? 'agent.id' : (TIED[name] ?? name));
  for (const [number, atom] of atoms.entries()) {
    if (whyNeverKnown(atom.field.name) !== undefined) continue;
    const lead = getLead(atom.field.name);
    const key = atom.currency === null ? lead : `${lead} ${atom.currency}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [[number, atom]]);
    else group.push([number, atom]);
  }
  const asked = (groups.get('agent.capabilities') ?? []).flatMap(([, { condition }]) =>
    typeof condition.value === 'string' ? [condition.value] : [],
  );
  for (const group of groups.values()) fuel.left -= computePrice(group);
  if (fuel.left < 0) return [];
  return [...groups.values()].map((group) => {
    const lead = getLead(group[0]?.[1].field.name ?? '');
    const marked = lead === 'tool.capability' ? [...new Set(asked)] : [];
    return getDomain(lead, group, { fuel, bounds: place.bounds[lead] ?? {}, marked });
  });
};
