import { NativeSelect, TextInput } from '@mantine/core';
import type { CredentialKind, CredentialOrder } from '@svc/contract/credentials/credentials.ts';
import type { FormEvent, ReactNode } from 'react';
import type { LabelledEnvironment } from '../../data/environments.ts';
import { getEnvironmentOptions } from '../../data/scope-options.ts';
import type { Values } from '../../design/form.tsx';
import { Button } from '../../design/kit.tsx';
import { getFilledFields } from './filled-in.ts';

export const KIND_NAMES: Readonly<Record<CredentialKind, string>> = {
  FIXED: 'Key, token or password',
  CLIENT_CREDENTIALS: 'OAuth client credentials',
  REFRESH_TOKEN: 'OAuth, connected by a person',
};
const ORDER_NAMES: Readonly<Record<CredentialOrder, string>> = {
  oldest: 'Oldest first',
  newest: 'Newest first',
  name: 'Name',
  longest_unused: 'Longest unused first',
};
const ANY = { value: '', label: 'Any' };

const toChoose = (names: Readonly<Record<string, string>>) => Object.entries(names).map(([value, label]) => ({ value, label }));

type FilterProps = { readonly environments: readonly LabelledEnvironment[]; readonly onFilter: (filter: Values) => void };

/** Filters and sorts the list. */
export const Filter = ({ environments, onFilter }: FilterProps): ReactNode => {
  const filter = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const entered = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]);
    onFilter(getFilledFields(Object.fromEntries(entered)));
  };
  return (
    <details>
      <summary>Filter and sort</summary>
      <form className="wide" aria-label="Filter and sort" onSubmit={filter}>
        <div className="columns">
          <NativeSelect
            name="status"
            label="Status"
            data={[ANY, { value: 'ACTIVE', label: 'Active' }, { value: 'REVOKED', label: 'Revoked' }]}
          />
          <NativeSelect name="kind" label="Kind" data={[ANY, ...toChoose(KIND_NAMES)]} />
          <TextInput name="tool" label="Tool" placeholder="refund.create" maxLength={100} />
          <NativeSelect name="environment_id" label="Environment" data={[ANY, ...getEnvironmentOptions(environments)]} />
          <NativeSelect name="order" label="Order" data={toChoose(ORDER_NAMES)} />
          <Button type="submit" variant="default">
            Apply
          </Button>
        </div>
      </form>
    </details>
  );
};
