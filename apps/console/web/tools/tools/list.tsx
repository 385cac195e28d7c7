import { TextInput } from '@mantine/core';
import type { OperationResult } from '@svc/client/client-types.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { RiskRating } from '@svc/contract/tables/vocabulary.ts';
import type { ReactNode } from 'react';
import { useEnvironments } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import { getEnvironmentLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { usePages } from '../../data/use-pages.ts';
import { useQueryState } from '../../data/use-query-state.ts';
import { Button } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { StatusPill, type Tone } from '../../design/status-pill.tsx';
import type { Column } from '../../design/table.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';

type Tool = OperationResult<'getTool'>;

const NAMES = ['q'] as const;
export const RISK_TONES: Readonly<Record<RiskRating, Tone>> = { LOW: 'neutral', MEDIUM: 'neutral', HIGH: 'held', CRITICAL: 'blocked' };
export const formatRisk = (risk: RiskRating): string => risk.charAt(0) + risk.slice(1).toLowerCase();

const register = (
  <Button component="a" href={buildConsolePath('newTool')}>
    New tool
  </Button>
);

/** Tools that agents can be authorized for. */
export const Tools = ({ session }: { readonly session: Session }): ReactNode => {
  const environments = useEnvironments() ?? [];
  const { values, set } = useQueryState(NAMES);
  const list = usePages('listTools', { query: values });
  const mayCreate = may(session, 'tool:create');
  const columns: readonly Column<Tool>[] = [
    { name: 'Name', show: ({ name }) => <bdi>{name}</bdi> },
    { name: 'Risk', show: ({ risk_rating }) => <StatusPill tone={RISK_TONES[risk_rating]}>{formatRisk(risk_rating)}</StatusPill> },
    { name: 'Kind', show: ({ kind }) => kind },
    { name: 'Capability', show: ({ required_capability }) => <code>{required_capability}</code> },
    { name: 'Destinations', show: ({ destination_allowlist }) => destination_allowlist.join(', ') || 'Any', isLong: true },
    { name: 'Agents', show: ({ authorized_agent_ids }) => authorized_agent_ids.length, isNumber: true },
    { name: 'Environment', show: ({ environment_id }) => getEnvironmentLabel(environment_id, environments) },
    {
      name: 'Status',
      show: ({ status }) => (
        <StatusPill tone={status === 'ACTIVE' ? 'allowed' : 'blocked'}>{status === 'ACTIVE' ? 'Active' : 'Disabled'}</StatusPill>
      ),
    },
  ];
  return (
    <ConsolePage
      title="Tools"
      actions={
        <>
          <a href={buildConsolePath('toolImports')}>Imports</a>
          {mayCreate ? register : null}
        </>
      }
    >
      <form className="wide filters" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
        <TextInput label="Name" defaultValue={values.q} onChange={({ currentTarget }) => set({ q: currentTarget.value })} />
      </form>
      {mayCreate ? null : <MissingPermission needs="tool:create" to="register tools" />}
      <ListTable
        label="Tools"
        list={list}
        isCounted
        isDense
        columns={columns}
        pathOf={({ id }) => buildConsolePath('tool', { toolId: id })}
        empty={values.q === undefined ? 'No tools yet. Register one, or import an API description.' : 'No tools match this name.'}
        emptyAction={mayCreate ? register : null}
      />
    </ConsolePage>
  );
};
