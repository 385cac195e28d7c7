import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Known } from '../../api/known-names.ts';
import { idsMeant, offered } from '../../api/named-ids.ts';

/** Text of the query, by its members; what is empty is not in it. */
export type Filter = Readonly<Record<string, string>>;

const TEXTS = [
  ['type', 'Types, with commas between them', 2000],
  ['q', 'Text in the type, the subject or the data', 120],
] as const;
/** Chosen by name, and asked for by id; of what, where it is not of everything. */
const IDS: readonly (readonly [name: string, label: string, of?: readonly string[]])[] = [
  ['actor_id', 'Done by', ['person', 'agent', 'API key']],
  ['subject_id', 'About'],
  ['environment_id', 'In the environment', ['environment']],
];
const TIMES = [
  ['from', 'Not older than'],
  ['to', 'Older than'],
] as const;
const SEVERITIES = ['info', 'warning', 'critical'];

const isTime = (name: string): boolean => TIMES.some(([each]) => each === name);
/** As fields of a browser have it: by its own clock, without a zone. */
const asField = (time: string | undefined): string | undefined => {
  if (time === undefined || Number.isNaN(Date.parse(time))) return undefined;
  const at = new Date(time);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

const isId = (name: string): boolean => IDS.some(([each]) => each === name);

const NAMES: readonly string[] = [...IDS.map(([name]) => name), ...TEXTS.map(([name]) => name), ...TIMES.map(([name]) => name), 'severity'];

/** The filter that an address names, of members that there are. */
export const filterOf = (search: string): Filter =>
  Object.fromEntries([...new URLSearchParams(search)].filter(([name, value]) => NAMES.includes(name) && value !== ''));

const offeredFor = (name: string, known: readonly Known[]): readonly Known[] => {
  const of = IDS.find(([each]) => each === name)?.[2];
  return of === undefined ? known : known.filter(({ what }) => of.includes(what));
};

type Read = { readonly filter: Filter; readonly faults: Filter };

const NOBODY = 'Nothing that you see has this name: choose from the list, or give an id.';
const SEVERAL = 'Several have this name: choose from the list, or give an id.';

/** What the form asks for, names as ids; and what is wrong with a name that is not one thing's. */
const read = (form: HTMLFormElement, known: readonly Known[]): Read => {
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

/** As it is offered to be chosen, where its name is known. */
const shownId = (id: string | undefined, known: readonly Known[]): string => {
  const found = known.find((each) => each.id === id);
  return found ? offered(found) : (id ?? '');
};

type IdFieldsProps = { readonly filter: Filter; readonly known: readonly Known[]; readonly faults: Filter };

const IdFields = ({ filter, known, faults }: IdFieldsProps): ReactNode => (
  <>
    {IDS.map(([name, label]) => (
      <TextInput
        key={`${name} ${shownId(filter[name], known)}`}
        name={name}
        label={label}
        placeholder="Name or id"
        list={`known-${name}`}
        autoComplete="off"
        maxLength={200}
        defaultValue={shownId(filter[name], known)}
        error={faults[name]}
      />
    ))}
    {IDS.map(([name]) => (
      <datalist key={name} id={`known-${name}`}>
        {offeredFor(name, known).map((each) => (
          <option key={each.id} value={offered(each)}>
            {each.what}
          </option>
        ))}
      </datalist>
    ))}
  </>
);

type FilterProps = { readonly filter: Filter; readonly known: readonly Known[]; readonly onSearch: (filter: Filter) => void };

export const FilterForm = ({ filter, known, onSearch }: FilterProps): ReactNode => {
  const [faults, setFaults] = useState<Filter>({});
  const search = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const asked = read(event.currentTarget, known);
    setFaults(asked.faults);
    if (Object.keys(asked.faults).length === 0) onSearch(asked.filter);
  };
  return (
    <form aria-label="Search" onSubmit={search}>
      <div className="columns">
        <IdFields filter={filter} known={known} faults={faults} />
        {TEXTS.map(([name, label, maxLength]) => (
          <TextInput key={name} name={name} label={label} maxLength={maxLength} defaultValue={filter[name]} />
        ))}
        <NativeSelect
          name="severity"
          label="Severity"
          defaultValue={filter.severity ?? ''}
          data={[{ value: '', label: 'any' }, ...SEVERITIES.map((value) => ({ value, label: value }))]}
        />
        {TIMES.map(([name, label]) => (
          <TextInput key={name} name={name} label={label} type="datetime-local" defaultValue={asField(filter[name])} />
        ))}
        <Button type="submit">Search</Button>
      </div>
    </form>
  );
};
