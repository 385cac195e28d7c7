import { TextInput } from '@mantine/core';
import type { OperationResult } from '@svc/client/client-types.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useEnvironments } from '../../data/environments.ts';
import { getEnvironmentLabel } from '../../data/scope-options.ts';
import { usePages } from '../../data/use-pages.ts';
import { useQueryState } from '../../data/use-query-state.ts';
import { Text } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { Panel } from '../../design/panel.tsx';
import { StatusPill } from '../../design/status-pill.tsx';
import type { Column } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';

type Integration = OperationResult<'listIntegrations'>['items'][number];
type Application = OperationResult<'listApplications'>['items'][number];

const NAMES = ['q'] as const;

const APPLICATION_COLUMNS: readonly Column<Application>[] = [
  { name: 'Application', show: ({ name }) => <bdi>{name}</bdi> },
  { name: 'Category', show: ({ category }) => category.toLowerCase() },
  { name: 'Purpose', show: ({ summary }) => summary, isLong: true },
  { name: 'Actions', show: ({ capability }) => capability.actions, isNumber: true },
];

const Status = ({ integration: { status, update_available } }: { readonly integration: Integration }): ReactNode => {
  if (status === 'REMOVED') return <StatusPill tone="neutral">Removed</StatusPill>;
  return update_available ? <StatusPill tone="held">Update available</StatusPill> : <StatusPill tone="allowed">Active</StatusPill>;
};

const SetUp = (): ReactNode => {
  const environments = useEnvironments() ?? [];
  const list = usePages('listIntegrations', {});
  const columns: readonly Column<Integration>[] = [
    { name: 'Name', show: ({ name }) => <bdi>{name}</bdi> },
    { name: 'Status', show: (integration) => <Status integration={integration} /> },
    { name: 'Environment', show: ({ environment_id }) => getEnvironmentLabel(environment_id, environments) },
    { name: 'Tools', show: ({ tools }) => tools.length, isNumber: true },
    { name: 'Since', show: ({ created_at }) => <Time at={created_at} /> },
  ];
  return (
    <Panel title="Set up">
      <ListTable
        label="Integrations"
        list={list}
        columns={columns}
        pathOf={({ application }) => buildConsolePath('application', { application })}
        empty="No application is set up yet. Choose one below."
      />
    </Panel>
  );
};

/** Applications that are set up, and the catalogue. */
export const Integrations = (): ReactNode => {
  const { values, set } = useQueryState(NAMES);
  const search = values.q ?? '';
  const list = usePages('listApplications', { query: search === '' ? {} : { q: search } });
  return (
    <ConsolePage title="Integrations">
      <Text>Set up an application with its key once. Its actions become tools that policies govern, and agents never see the key.</Text>
      <SetUp />
      <Panel title="Catalogue">
        <TextInput
          type="search"
          label="Search applications and actions"
          maxLength={120}
          defaultValue={search}
          onChange={({ currentTarget }) => set({ q: currentTarget.value })}
        />
        <ListTable
          label="Catalogue"
          list={{ ...list, items: list.items?.map((each) => ({ ...each, id: each.key })) }}
          columns={APPLICATION_COLUMNS}
          pathOf={({ key }) => buildConsolePath('application', { application: key })}
          empty="No application matches. Import an OpenAPI document instead."
        />
      </Panel>
    </ConsolePage>
  );
};
