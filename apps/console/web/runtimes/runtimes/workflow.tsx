import type { OperationResult } from '@svc/client/client-types.ts';
import { buildConsolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useOperation } from '../../data/use-operation.ts';
import { Facts } from '../../design/facts.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { StatusPill } from '../../design/status-pill.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { SEVERITY_TONES } from './findings.tsx';
import { DRAWN_NODES_MAX } from './lay-out-workflow.ts';
import { WorkflowGraph } from './workflow-graph.tsx';

type Workflow = OperationResult<'getRuntimeWorkflow'>;
type Finding = Workflow['findings'][number];
type Node = {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly class: string;
  readonly disabled: boolean;
  readonly destination: string | null;
};
type Part = {
  readonly nodes: readonly Node[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly type: string }[];
};

const isOpen = ({ status }: Finding): boolean => status !== 'RESOLVED';

const classWords = (word: string): string => word.toLowerCase().replaceAll('_', ' ');

const Version = ({
  title,
  part,
  findings,
}: {
  readonly title: string;
  readonly part: Part;
  readonly findings: readonly Finding[];
}): ReactNode => {
  const at = (id: string): readonly Finding[] => findings.filter(({ node }) => node?.id === id);
  const drawn = part.nodes.map((node) => ({
    ...{ id: node.id, name: node.name, detail: node.destination ?? classWords(node.class) },
    isFound: at(node.id).length > 0,
  }));
  const columns: readonly Column<Node>[] = [
    { name: 'Node', show: ({ name }) => <bdi>{name}</bdi> },
    { name: 'Type', show: ({ type }) => <bdi>{type}</bdi>, isLong: true },
    { name: 'Class', show: (node) => `${classWords(node.class)}${node.disabled ? ', disabled' : ''}` },
    { name: 'Destination', show: ({ destination }) => destination ?? '–' },
    {
      name: 'Runs',
      isLong: true,
      show: ({ id }) =>
        part.edges
          .filter(({ from }) => from === id)
          .map(({ to }) => part.nodes.find((node) => node.id === to)?.name ?? to)
          .join(', ') || '–',
    },
    {
      name: 'Findings',
      isLong: true,
      show: ({ id }) => {
        const here = at(id);
        return here.length === 0
          ? '–'
          : here.map((finding) => (
              <div key={finding.id}>
                <StatusPill tone={SEVERITY_TONES[finding.severity]}>{finding.severity.toLowerCase()}</StatusPill> {finding.title}
              </div>
            ));
      },
    },
  ];
  return (
    <Panel title={title}>
      {part.nodes.length > DRAWN_NODES_MAX ? null : <WorkflowGraph label={title} nodes={drawn} edges={part.edges} />}
      <Table label={title} rows={part.nodes} columns={columns} keyOf={({ id }) => id} empty="It has no nodes." />
    </Panel>
  );
};

/** A workflow as it was inspected: the nodes of what runs and of the draft, drawn and as a table, with the findings at each. */
export const RuntimeWorkflowPage = ({ params }: { readonly params: RouteParams<'runtimeWorkflow'> }): ReactNode => {
  const { data: runtime } = useOperation('getRuntime', { params: { runtimeId: params.runtimeId } });
  const { data, error } = useOperation('getRuntimeWorkflow', { params });
  const { draft, published } = (data?.inventory ?? {}) as { readonly draft?: Part; readonly published?: Part | null };
  const findings = data?.findings.filter(isOpen) ?? [];
  const isSame = published === null || published === undefined;
  return (
    <ConsolePage
      title={data?.name ?? 'Workflow'}
      parent={{ name: runtime?.name ?? 'Runtime', path: buildConsolePath('runtime', { runtimeId: params.runtimeId }) }}
    >
      <Problem error={error ?? undefined} />
      {data === undefined && !error ? <Skeleton lines={6} /> : null}
      {data === undefined ? null : (
        <>
          <Facts
            facts={[
              ['Active', data.active ? 'Yes' : 'No'],
              ['Open findings', data.open_findings],
              ['Changed', <Time key="changed" at={data.changed_at} />],
              ['Last inspected', <Time key="seen" at={data.last_seen_at} />],
            ]}
          />
          {isSame ? null : <Version title="Published version" part={published} findings={findings} />}
          {draft === undefined ? null : (
            <Version title={isSame && data.active ? 'Published version' : 'Draft'} part={draft} findings={findings} />
          )}
        </>
      )}
    </ConsolePage>
  );
};
