import type { OperationResult } from '@svc/client/client-types.ts';
import type { ReactNode } from 'react';
import { useOperation } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { EnforcementPill } from './enforcement-pill.tsx';
import { HOLDS } from './runtime.ts';

type Run = OperationResult<'listRuntimeRuns'>['data'][number];
type Evidence = NonNullable<Run['evidence']>[number];

const EVIDENCE_COLUMNS: readonly Column<Evidence>[] = [
  { name: 'Evidence', show: ({ name }) => name.toLowerCase().replaceAll('_', ' ') },
  { name: 'Holds', show: ({ holds }) => HOLDS[`${holds}`] },
  { name: 'Detail', show: ({ detail }) => detail, isLong: true },
  { name: 'Source', show: ({ source }) => source, isLong: true },
];

const RunEvidence = ({ run: { runtime_id: runtimeId, id } }: { readonly run: Run }): ReactNode => {
  const { data, error } = useOperation('listRuntimeRuns', { params: { runtimeId }, query: { run_id: id } });
  const rows = data?.data[0]?.evidence;
  return (
    <>
      <Problem error={error ?? undefined} />
      <Table
        label="Evidence of the run"
        rows={data === undefined ? undefined : (rows ?? [])}
        columns={EVIDENCE_COLUMNS}
        keyOf={({ hash }) => hash}
        empty="The run stored no evidence."
      />
    </>
  );
};

const COLUMNS: readonly Column<Run>[] = [
  { name: 'Started', show: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Because', show: ({ trigger }) => trigger.toLowerCase() },
  { name: 'State', show: ({ state, failure }) => failure ?? state.toLowerCase(), isLong: true },
  { name: 'Workflows', show: ({ workflows }) => workflows, isNumber: true },
  { name: 'Requests', show: ({ requests }) => requests, isNumber: true },
  { name: 'Findings', show: ({ findings }) => findings, isNumber: true },
  { name: 'Status after', show: ({ after }) => (after === null ? '–' : <EnforcementPill status={after} />) },
  {
    name: 'Actions',
    isActions: true,
    show: (run) => (
      <DialogButton label="Evidence" to={run.created_at} title="Evidence of the run">
        {() => <RunEvidence run={run} />}
      </DialogButton>
    ),
  },
];

/** The verification runs of a runtime, newest first, each with its evidence. */
export const Runs = ({ runtimeId }: { readonly runtimeId: string }): ReactNode => {
  const list = usePages('listRuntimeRuns', { params: { runtimeId } });
  return (
    <Panel title="Verification runs">
      <ListTable label="Verification runs" list={list} columns={COLUMNS} empty="Never verified." />
    </Panel>
  );
};
