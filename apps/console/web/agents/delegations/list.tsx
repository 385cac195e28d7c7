import { NativeSelect } from '@mantine/core';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { DELEGATION_STATUSES, type DelegationStatus } from '@svc/contract/tables/vocabulary.ts';
import { lazy, type ReactNode, Suspense } from 'react';
import { formatCeiling } from '../../actions/actions/authority.tsx';
import { useOperation } from '../../data/use-operation.ts';
import { useQueryState } from '../../data/use-query-state.ts';
import { Ago } from '../../design/ago.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { StatusPill, type Tone } from '../../design/status-pill.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { Cascade } from './cascade.tsx';
import type { Edge } from './edge.ts';

/** Loaded when it is shown, with the library that lays it out. */
const Graph = lazy(async () => ({ default: (await import('./graph.tsx')).Graph }));

type Row = { readonly edge: Edge; readonly depth: number };

const NAMES = ['status', 'agent_id', 'view', 'selected'] as const;
const VIEWS = { graph: 'Graph', table: 'Table' } as const;
const EDGES_MAX = 200;
export const DELEGATION_TONES: Readonly<Record<DelegationStatus, Tone>> = { ACTIVE: 'allowed', EXPIRED: 'neutral', REVOKED: 'blocked' };
export const getDelegationStatus = (status: DelegationStatus): string => status.charAt(0) + status.slice(1).toLowerCase();

/** The edges as a tree: each delegation after the one that it derives from. */
const buildTree = (edges: readonly Edge[]): readonly Row[] => {
  const ids = new Set(edges.map(({ id }) => id));
  const children = Map.groupBy(edges, ({ parent_id }) => (parent_id !== null && ids.has(parent_id) ? parent_id : ''));
  const below = (parent: string, depth: number): readonly Row[] =>
    (children.get(parent) ?? []).flatMap((edge) => [{ edge, depth }, ...below(edge.id, depth + 1)]);
  return below('', 0);
};

const INDENTS = ['', '└ ', '　└ ', '　　└ ', '　　　└ '] as const;

export const formatScope = ({ capabilities, tools, destinations }: Edge['scope']): string =>
  [
    ...(capabilities === null ? [] : [capabilities.join(', ') || 'no capability']),
    ...(tools === null ? [] : [`tools ${tools.join(', ') || 'none'}`]),
    ...(destinations === null ? [] : [`to ${destinations.join(', ') || 'nowhere'}`]),
  ].join('; ') || 'All of its authority';

type ViewProps = { readonly isTable: boolean; readonly onChoose: (view: string) => void };

const ViewChoice = ({ isTable, onChoose }: ViewProps): ReactNode => (
  <fieldset className="segments">
    <legend>View</legend>
    {Object.entries(VIEWS).map(([view, name]) => (
      <label key={view}>
        <input type="radio" name="view" value={view} checked={(view === 'table') === isTable} onChange={() => onChoose(view)} />
        <span>{name}</span>
      </label>
    ))}
  </fieldset>
);

type DrawingProps = {
  readonly edges: readonly Edge[];
  readonly nameOf: (id: string) => string;
  readonly selected: string | undefined;
  readonly onSelect: (delegationId: string) => void;
};

/** The graph, and the consequences of a revocation of the selected delegation. */
const Drawing = ({ edges, nameOf, selected, onSelect }: DrawingProps): ReactNode => {
  const edge = edges.find(({ id }) => id === selected);
  return (
    <>
      <Suspense fallback={<Skeleton lines={6} />}>
        <Graph edges={edges} nameOf={nameOf} selected={selected} onSelect={onSelect} />
      </Suspense>
      {edge === undefined ? null : (
        <Panel title={`${nameOf(edge.from)} to ${nameOf(edge.to)}`}>
          <p>
            {formatScope(edge.scope)}; {formatCeiling(edge.ceiling) || 'no ceiling'}
          </p>
          {edge.status === 'ACTIVE' ? <Cascade delegationId={edge.id} /> : <p>{getDelegationStatus(edge.status)}</p>}
          <a href={buildConsolePath('delegation', { delegationId: edge.id })}>Open the delegation</a>
        </Panel>
      )}
    </>
  );
};

/** Who delegated what to which agent, as a tree from people down to the last agent. */
export const Delegations = (): ReactNode => {
  const { values, set } = useQueryState(NAMES);
  const status = DELEGATION_STATUSES.find((each) => each === values.status) ?? (values.status === 'ANY' ? undefined : 'ACTIVE');
  const query = {
    limit: EDGES_MAX,
    ...(status === undefined ? {} : { status }),
    ...(values.agent_id === undefined ? {} : { agent_id: values.agent_id }),
  };
  const { data, error } = useOperation('getDelegationGraph', { query });
  const isTable = values.view === 'table';
  const nameOf = (id: string): string => data?.nodes.find((node) => node.id === id)?.name || id;
  const columns: readonly Column<Row>[] = [
    {
      name: 'From and to',
      show: ({ edge, depth }) => (
        <bdi>
          {INDENTS[Math.min(depth, INDENTS.length - 1)]}
          {nameOf(edge.from)} → {nameOf(edge.to)}
        </bdi>
      ),
    },
    {
      name: 'Status',
      show: ({ edge }) => <StatusPill tone={DELEGATION_TONES[edge.status]}>{getDelegationStatus(edge.status)}</StatusPill>,
    },
    { name: 'Scope', show: ({ edge }) => <bdi title={formatScope(edge.scope)}>{formatScope(edge.scope)}</bdi>, isLong: true },
    { name: 'Ceiling', show: ({ edge }) => formatCeiling(edge.ceiling) || 'None' },
    { name: 'Expires', show: ({ edge }) => (edge.expires_at === null ? 'Never' : <Ago at={edge.expires_at} />) },
  ];
  return (
    <ConsolePage title="Delegations">
      <form className="wide filters" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
        <NativeSelect
          label="Status"
          value={status ?? 'ANY'}
          onChange={({ currentTarget }) => set({ status: currentTarget.value })}
          data={[
            ...DELEGATION_STATUSES.map((value) => ({ value: value as string, label: getDelegationStatus(value) })),
            { value: 'ANY', label: 'Any' },
          ]}
        />
        <ViewChoice isTable={isTable} onChoose={(view) => set({ view })} />
      </form>
      <Problem error={error ?? undefined} />
      {!isTable && data === undefined && !error ? <Skeleton lines={6} /> : null}
      {isTable || data === undefined ? null : (
        <Drawing edges={data.edges} nameOf={nameOf} selected={values.selected} onSelect={(selected) => set({ selected })} />
      )}
      {error || !isTable ? null : (
        <Table
          label="Delegations"
          columns={columns}
          rows={data === undefined ? undefined : buildTree(data.edges)}
          keyOf={({ edge }) => edge.id}
          pathOf={({ edge }) => buildConsolePath('delegation', { delegationId: edge.id })}
          isDense
          empty="No delegations. Agents act on their own grants."
          emptyAction={<a href="/docs/guides">Guides</a>}
        />
      )}
      {data?.page.has_more ? <p className="quiet-text">Only the newest {EDGES_MAX} are shown.</p> : null}
    </ConsolePage>
  );
};
