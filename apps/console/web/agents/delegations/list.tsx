import { NativeSelect } from '@mantine/core';
import type { ResultOf } from '@svc/client/client-types.ts';
import { consolePath } from '@svc/contract/tables/console-routes.ts';
import { DELEGATION_STATUSES, type DelegationStatus } from '@svc/contract/tables/vocabulary.ts';
import type { ReactNode } from 'react';
import { ceilingText } from '../../actions/actions/authority.tsx';
import { useOperation } from '../../data/use-operation.ts';
import { useQueryState } from '../../data/use-query-state.ts';
import { Ago } from '../../design/ago.tsx';
import { Problem } from '../../design/problem.tsx';
import { StatusPill, type Tone } from '../../design/status-pill.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';

type Graph = ResultOf<'getDelegationGraph'>;
type Edge = Graph['edges'][number];
type Row = { readonly edge: Edge; readonly depth: number };

const NAMES = ['status', 'agent_id'] as const;
const EDGES_MAX = 200;
export const DELEGATION_TONES: Readonly<Record<DelegationStatus, Tone>> = { ACTIVE: 'allowed', EXPIRED: 'neutral', REVOKED: 'blocked' };
export const delegationStatus = (status: DelegationStatus): string => status.charAt(0) + status.slice(1).toLowerCase();

/** The edges as a tree: each delegation after the one that it derives from. */
const treeOf = (edges: readonly Edge[]): readonly Row[] => {
  const ids = new Set(edges.map(({ id }) => id));
  const children = Map.groupBy(edges, ({ parent_id }) => (parent_id !== null && ids.has(parent_id) ? parent_id : ''));
  const below = (parent: string, depth: number): readonly Row[] =>
    (children.get(parent) ?? []).flatMap((edge) => [{ edge, depth }, ...below(edge.id, depth + 1)]);
  return below('', 0);
};

const INDENTS = ['', '└ ', '　└ ', '　　└ ', '　　　└ '] as const;

export const scopeText = ({ capabilities, tools, destinations }: Edge['scope']): string =>
  [
    ...(capabilities === null ? [] : [capabilities.join(', ') || 'no capability']),
    ...(tools === null ? [] : [`tools ${tools.join(', ') || 'none'}`]),
    ...(destinations === null ? [] : [`to ${destinations.join(', ') || 'nowhere'}`]),
  ].join('; ') || 'All of its authority';

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
    { name: 'Status', show: ({ edge }) => <StatusPill tone={DELEGATION_TONES[edge.status]}>{delegationStatus(edge.status)}</StatusPill> },
    { name: 'Scope', show: ({ edge }) => <bdi title={scopeText(edge.scope)}>{scopeText(edge.scope)}</bdi>, isLong: true },
    { name: 'Ceiling', show: ({ edge }) => ceilingText(edge.ceiling) || 'None' },
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
            ...DELEGATION_STATUSES.map((value) => ({ value: value as string, label: delegationStatus(value) })),
            { value: 'ANY', label: 'Any' },
          ]}
        />
      </form>
      <Problem error={error ?? undefined} />
      {error ? null : (
        <Table
          label="Delegations"
          columns={columns}
          rows={data === undefined ? undefined : treeOf(data.edges)}
          keyOf={({ edge }) => edge.id}
          pathOf={({ edge }) => consolePath('delegation', { delegationId: edge.id })}
          isDense
          empty="No delegations. Agents act on their own grants."
          emptyAction={<a href="/docs/guides">Guides</a>}
        />
      )}
      {data?.page.has_more ? <p className="quiet-text">Only the newest {EDGES_MAX} are shown.</p> : null}
    </ConsolePage>
  );
};
