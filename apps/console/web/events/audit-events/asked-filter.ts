import type { Known } from '../../data/names/known-names.ts';
import { idsMeant } from '../../data/names/named-ids.ts';

/** Text of the query, by its members; what is empty is not in it. */
export type Filter = Readonly<Record<string, string>>;

export const TEXTS = [
  ['type', 'Types, with commas between them', 2000],
  ['q', 'Text in the type, the subject or the data', 120],
] as const;
/** Chosen by name, and asked for by id; of what, where it is not of everything. */
export const IDS: readonly (readonly [name: string, label: string, of?: readonly string[]])[] = [
  ['actor_id', 'Done by', ['person', 'agent', 'API key']],
  ['subject_id', 'About'],
  ['environment_id', 'In the environment', ['environment']],
];
export const TIMES = [
  ['from', 'Not older than'],
  ['to', 'Older than'],
] as const;
const isTime = (name: string): boolean => TIMES.some(([each]) => each === name);
const isId = (name: string): boolean => IDS.some(([each]) => each === name);

const NAMES: readonly string[] = [...IDS.map(([name]) => name), ...TEXTS.map(([name]) => name), ...TIMES.map(([name]) => name), 'severity'];

/** The filter that an address names, of members that there are. */
export const filterOf = (search: string): Filter =>
  Object.fromEntries([...new URLSearchParams(search)].filter(([name, value]) => NAMES.includes(name) && value !== ''));

export const offeredFor = (name: string, known: readonly Known[]): readonly Known[] => {
  const of = IDS.find(([each]) => each === name)?.[2];
  return of === undefined ? known : known.filter(({ what }) => of.includes(what));
};

type Read = { readonly filter: Filter; readonly faults: Filter };

const NOBODY = 'Nothing that you see has this name: choose from the list, or give an id.';
const SEVERAL = 'Several have this name: choose from the list, or give an id.';

/** What the form asks for, names as ids; and what is wrong with a name that is not one thing's. */
export const readFilter = (form: HTMLFormElement, known: readonly Known[]): Read => {
  const texts = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()] as const] : [],
  );
  const meant = texts.map(([name, value]) => [name, isId(name) ? idsMeant(value, offeredFor(name, known)) : [value]] as const);
  return {
    filter: Object.fromEntries(
      meant.flatMap(([name, [value = '']]) => [[name, isTime(name) ? new Date(value).toISOString() : value]] as const),
    ),
    faults: Object.fromEntries(meant.flatMap(([name, ids]) => (ids.length === 1 ? [] : [[name, ids.length === 0 ? NOBODY : SEVERAL]]))),
  };
};

/** The names of a form that nothing has that is known: there may be more of it than the lists hold. */
export const strangersIn = (form: HTMLFormElement, known: readonly Known[]): readonly string[] =>
  [...new FormData(form)].flatMap(([name, value]) =>
    isId(name) && typeof value === 'string' && value.trim() !== '' && idsMeant(value, known).length === 0 ? [value.trim()] : [],
  );
