import { Button, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';

/** Text of the query, by its members; what is empty is not in it. */
export type Filter = Readonly<Record<string, string>>;

const TEXTS = [
  ['type', 'Types, with commas between them', 2000],
  ['actor_id', 'Done by (id)', 64],
  ['subject_id', 'About (id)', 64],
  ['q', 'Text in the type, the subject or the data', 120],
] as const;
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

const NAMES: readonly string[] = [...TEXTS.map(([name]) => name), ...TIMES.map(([name]) => name), 'severity'];

/** The filter that an address names, of members that there are. */
export const filterOf = (search: string): Filter =>
  Object.fromEntries([...new URLSearchParams(search)].filter(([name, value]) => NAMES.includes(name) && value !== ''));

const entered = (form: HTMLFormElement): Filter => {
  const texts = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[name, value] as const] : [],
  );
  return Object.fromEntries(texts.map(([name, value]) => [name, isTime(name) ? new Date(value).toISOString() : value.trim()]));
};

type FilterProps = { readonly filter: Filter; readonly onSearch: (filter: Filter) => void };

export const FilterForm = ({ filter, onSearch }: FilterProps): ReactNode => {
  const search = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSearch(entered(event.currentTarget));
  };
  return (
    <form aria-label="Search" onSubmit={search}>
      <Stack gap="xs">
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
      </Stack>
    </form>
  );
};
