import { NativeSelect, TextInput } from '@mantine/core';
import type { OperationInput } from '@svc/client/client-types.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { AGENT_STATUSES } from '@svc/contract/tables/vocabulary.ts';
import type { ReactNode } from 'react';
import { useEnvironments } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import { getEnvironmentLabel, getEnvironmentOptions } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { usePages } from '../../data/use-pages.ts';
import { useQueryState } from '../../data/use-query-state.ts';
import { Ago } from '../../design/ago.tsx';
import { Button } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { StatusPill } from '../../design/status-pill.tsx';
import type { Column } from '../../design/table.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { type ListedAgent, STATUS_TONES, STATUS_WORDS } from './agent.ts';

const NAMES = ['q', 'status', 'environment_id'] as const;
const ANY = { value: '', label: 'Any' };

const register = (
  <Button component="a" href={buildConsolePath('newAgent')}>
    New agent
  </Button>
);

const Refused = ({ decisions_24h, blocked_24h }: ListedAgent): ReactNode =>
  decisions_24h === 0 ? '0' : `${decisions_24h}${blocked_24h === 0 ? '' : `, ${blocked_24h} refused`}`;

/** Agents with their status and what they did lately. */
export const Agents = ({ session }: { readonly session: Session }): ReactNode => {
  const environments = useEnvironments() ?? [];
  const { values, set } = useQueryState(NAMES);
  const list = usePages('listAgents', { query: values } as OperationInput<'listAgents'>);
  const mayCreate = may(session, 'agent:create');
  const columns: readonly Column<ListedAgent>[] = [
    { name: 'Name', show: ({ name }) => <bdi>{name}</bdi> },
    { name: 'Status', show: ({ status }) => <StatusPill tone={STATUS_TONES[status]}>{STATUS_WORDS[status]}</StatusPill> },
    { name: 'Environment', show: ({ environment_id }) => getEnvironmentLabel(environment_id, environments) },
    { name: 'Last seen', show: ({ last_seen_at }) => (last_seen_at === null ? 'Never' : <Ago at={last_seen_at} />) },
    { name: 'Decisions in 24 h', show: Refused },
    { name: 'Waiting', show: ({ pending_approvals }) => pending_approvals, isNumber: true },
    { name: 'Expires', show: ({ expires_at }) => (expires_at === null ? 'Never' : <Ago at={expires_at} />) },
    { name: 'Library', show: ({ sdk }) => (sdk === null ? '' : `${sdk.name} ${sdk.version}`) },
  ];
  return (
    <ConsolePage title="Agents" actions={mayCreate ? register : null}>
      <form className="wide filters" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
        <TextInput label="Name" defaultValue={values.q} onChange={({ currentTarget }) => set({ q: currentTarget.value })} />
        <NativeSelect
          label="Status"
          value={values.status ?? ''}
          onChange={({ currentTarget }) => set({ status: currentTarget.value })}
          data={[ANY, ...AGENT_STATUSES.map((value) => ({ value, label: STATUS_WORDS[value] }))]}
        />
        <NativeSelect
          label="Environment"
          value={values.environment_id ?? ''}
          onChange={({ currentTarget }) => set({ environment_id: currentTarget.value })}
          data={[ANY, ...getEnvironmentOptions(environments)]}
        />
      </form>
      {mayCreate ? null : <MissingPermission needs="agent:create" to="register agents" />}
      <ListTable
        label="Agents"
        list={list}
        isCounted
        isDense
        columns={columns}
        pathOf={({ id }) => buildConsolePath('agent', { agentId: id })}
        empty={Object.keys(values).length === 0 ? 'No agents yet. Register one and give it a key.' : 'No agents match these filters.'}
        emptyAction={mayCreate ? register : null}
      />
    </ConsolePage>
  );
};
