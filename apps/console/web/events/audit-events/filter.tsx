import { NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { searchNames } from '../../data/names/further-names.ts';
import type { Known } from '../../data/names/known-names.ts';
import { offered } from '../../data/names/named-ids.ts';
import type { Session } from '../../data/session.ts';
import { Button } from '../../design/kit.tsx';
import { type Filter, getUnknownNames, IDS, listOfferedValues, readFormFilter, TEXTS, TIMES } from './audit-filter.ts';

const SEVERITIES = ['info', 'warning', 'critical'];

/** A time as a field of the browser has it: local, without a zone. */
const asField = (time: string | undefined): string | undefined => {
  if (time === undefined || Number.isNaN(Date.parse(time))) return undefined;
  const at = new Date(time);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

/** An id as the list offers it, where its name is known. */
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
        {listOfferedValues(name, known).map((each) => (
          <option key={each.id} value={offered(each)}>
            {each.what}
          </option>
        ))}
      </datalist>
    ))}
  </>
);

export type FilterProps = {
  readonly filter: Filter;
  readonly known: readonly Known[];
  readonly session: Session;
  readonly onSearch: (filter: Filter) => void;
};

export const FilterForm = ({ filter, known: listed, session, onSearch }: FilterProps): ReactNode => {
  const [faults, setFaults] = useState<Filter>({});
  const [further, setFurther] = useState<readonly Known[]>([]);
  const known = [...listed, ...further];
  const search = async (form: HTMLFormElement): Promise<void> => {
    const found = (await Promise.all(getUnknownNames(form, known).map((name) => searchNames(name, session)))).flat();
    setFurther([...further, ...found]);
    const asked = readFormFilter(form, [...known, ...found]);
    setFaults(asked.faults);
    if (Object.keys(asked.faults).length === 0) onSearch(asked.filter);
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void search(event.currentTarget);
  };
  return (
    <form className="wide" aria-label="Search" onSubmit={onSubmit}>
      <div className="columns">
        <IdFields filter={filter} known={known} faults={faults} />
        {TEXTS.map(([name, label, maxLength]) => (
          <TextInput key={name} name={name} label={label} maxLength={maxLength} defaultValue={filter[name]} />
        ))}
        <NativeSelect
          name="severity"
          label="Severity"
          defaultValue={filter.severity ?? ''}
          data={[
            { value: '', label: 'Any' },
            ...SEVERITIES.map((value) => ({ value, label: `${value.charAt(0).toUpperCase()}${value.slice(1)}` })),
          ]}
        />
        {TIMES.map(([name, label]) => (
          <TextInput key={name} name={name} label={label} type="datetime-local" defaultValue={asField(filter[name])} />
        ))}
        <Button type="submit">Search</Button>
      </div>
    </form>
  );
};
