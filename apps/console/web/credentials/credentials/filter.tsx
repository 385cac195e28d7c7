import { Button, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { CredentialKind, CredentialOrder } from '@svc/contract/credentials/credentials.ts';
import type { FormEvent, ReactNode } from 'react';
import type { Environment } from '../../data/environments.ts';
import { environmentOptions } from '../../data/scope-options.ts';
import type { Values } from '../../design/form.tsx';
import { filledIn } from './filled-in.ts';

export const KIND_NAMES: Readonly<Record<CredentialKind, string>> = {
  FIXED: 'A key, a token or a password',
  CLIENT_CREDENTIALS: 'An application of OAuth, for itself',
  REFRESH_TOKEN: 'An application of OAuth that somebody allows',
};
const ORDER_NAMES: Readonly<Record<CredentialOrder, string>> = {
  oldest: 'Oldest first',
  newest: 'Newest first',
  name: 'By name',
  longest_unused: 'Longest unused first',
};
const ANY = { value: '', label: 'any' };

const toChoose = (names: Readonly<Record<string, string>>) => Object.entries(names).map(([value, label]) => ({ value, label }));

type FilterProps = { readonly environments: readonly Environment[]; readonly onFilter: (filter: Values) => void };

/** By what the list is narrowed, and which come first. */
export const Filter = ({ environments, onFilter }: FilterProps): ReactNode => {
  const filter = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const entered = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]);
    onFilter(filledIn(Object.fromEntries(entered)));
  };
  return (
    <details>
      <summary>Filter and sort</summary>
      <form aria-label="Filter and sort" onSubmit={filter}>
        <Stack gap="xs">
          <NativeSelect
            name="status"
            label="Status"
            data={[ANY, { value: 'ACTIVE', label: 'active' }, { value: 'REVOKED', label: 'revoked' }]}
          />
          <NativeSelect name="kind" label="What it is" data={[ANY, ...toChoose(KIND_NAMES)]} />
          <TextInput name="tool" label="Serves the tool" description="By its name, such as refund.create." maxLength={100} />
          <NativeSelect name="environment_id" label="Environment" data={[ANY, ...environmentOptions(environments)]} />
          <NativeSelect name="order" label="Order" data={toChoose(ORDER_NAMES)} />
          <Button type="submit" variant="default">
            Show
          </Button>
        </Stack>
      </form>
    </details>
  );
};
