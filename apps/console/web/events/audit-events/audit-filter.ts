import type { Known } from '../../data/names/known-names.ts';
import { resolveIds } from '../../data/names/named-ids.ts';

/** The query of a search; members that are empty are left out. */
export type Filter = Readonly<Record<string, string>>;

export const TEXTS = [
  ['type', 'Event types', 2000],
  ['q', 'Text', 120],
] as const;
/** Fields that take a name or an id, and the kinds they are limited to. */
export const IDS: readonly (readonly [name: string, label: string, of?: readonly string[]])[] = [
  ['actor_id', 'Actor', ['person', 'agent', 'API key']],
  ['subject_id', 'Subject'],
  ['environment_id', 'Environment', ['environment']],
];
export const TIMES = [
  ['from', 'From'],
  ['to', 'To'],
] as const;
const isTime = (name: string): boolean => TIMES.some(([each]) => each === name);
const isId = (name: string): boolean => IDS.some(([each]) => each === name);

const NAMES: readonly string[] = [...IDS.map(([name]) => name), ...TEXTS.map(([name]) => name), ...TIMES.map(([name]) => name), 'severity'];

/** Reads the filter from the query of an address; unknown members are left out. */
export const readQueryFilter = (search: string): Filter =>
  Object.fromEntries([...new URLSearchParams(search)].filter(([name, value]) => NAMES.includes(name) && value !== ''));

export const listOfferedValues = (name: string, known: readonly Known[]): readonly Known[] => {
  const of = IDS.find(([each]) => each === name)?.[2];
  return of === undefined ? known : known.filter(({ what }) => of.includes(what));
};

type Read = { readonly filter: Filter; readonly faults: Filter };

const NOT_FOUND = 'No match for this name. Choose from the list, or enter an id.';
const AMBIGUOUS = 'More than one item has this name. Choose from the list, or enter an id.';

/** Reads the form, with names replaced by ids, and the faults of names that do not identify one thing. */
export const readFormFilter = (form: HTMLFormElement, known: readonly Known[]): Read => {
  const texts = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()] as const] : [],
  );
  const meant = texts.map(([name, value]) => [name, isId(name) ? resolveIds(value, listOfferedValues(name, known)) : [value]] as const);
  return {
    filter: Object.fromEntries(
      meant.flatMap(([name, [value = '']]) => [[name, isTime(name) ? new Date(value).toISOString() : value]] as const),
    ),
    faults: Object.fromEntries(
      meant.flatMap(([name, ids]) => (ids.length === 1 ? [] : [[name, ids.length === 0 ? NOT_FOUND : AMBIGUOUS]])),
    ),
  };
};

/** The names in the form that match nothing known. They may be beyond the lists. */
export const getUnknownNames = (form: HTMLFormElement, known: readonly Known[]): readonly string[] =>
  [...new FormData(form)].flatMap(([name, value]) =>
    isId(name) && typeof value === 'string' && value.trim() !== '' && resolveIds(value, known).length === 0 ? [value.trim()] : [],
  );
