import type { OperationResult } from '@svc/client/client-types.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { Id } from '../../design/id.tsx';
import { Group, Text } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { ReasonForm } from '../../design/reason-form.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { ENFORCEMENT_MEANING, EnforcementPill } from './enforcement-pill.tsx';
import { Findings } from './findings.tsx';
import { Runs } from './runs.tsx';
import { CONNECTS, HEALTH_WORDS, HOLDS, KIND_WORDS, type Runtime } from './runtime.ts';

type Evidence = OperationResult<'getRuntimeEnforcement'>['latest']['evidence'][number];
type Workflow = OperationResult<'listRuntimeWorkflows'>['items'][number];

const PARENT = { name: 'Runtimes', path: buildConsolePath('runtimes') };
const EVERY_MS = 10_000;

const EVIDENCE_COLUMNS: readonly Column<Evidence>[] = [
  { name: 'Evidence', show: ({ name }) => name.toLowerCase().replaceAll('_', ' ') },
  { name: 'Holds', show: ({ holds }) => HOLDS[`${holds}`] },
  { name: 'Detail', show: ({ detail }) => detail, isLong: true },
  { name: 'Observed', show: ({ observed_at }) => (observed_at === null ? 'Never' : <Time at={observed_at} />) },
  { name: 'Counts until', show: ({ ends_at }) => (ends_at === null ? '–' : <Time at={ends_at} />) },
  { name: 'Without it at most', show: ({ otherwise_at_most }) => <EnforcementPill status={otherwise_at_most} /> },
];

const workflowColumns = (runtimeId: string): readonly Column<Workflow>[] => [
  {
    name: 'Workflow',
    show: ({ name, workflow_id }) => (
      <a href={buildConsolePath('runtimeWorkflow', { runtimeId, workflowId: workflow_id })}>
        <bdi>{name}</bdi>
      </a>
    ),
  },
  { name: 'Active', show: ({ active }) => (active ? 'Yes' : 'No') },
  { name: 'Open findings', show: ({ open_findings }) => open_findings, isNumber: true },
  { name: 'Changed', show: ({ changed_at }) => <Time at={changed_at} /> },
];

type ActionProps = { readonly runtime: Runtime; readonly session: Session; readonly done: (text: string) => void };

const Operate = ({ runtime: { id, name, status }, done }: ActionProps): ReactNode => {
  const isActive = status === 'ACTIVE';
  return (
    <DialogButton label={isActive ? 'Pause' : 'Recover'} to={name} isDanger={isActive}>
      {(close) => (
        <ReasonForm
          submit={isActive ? 'Pause runtime' : 'Recover runtime'}
          isDanger={isActive}
          send={(reason) =>
            client.request('operateRuntime', { params: { runtimeId: id }, body: { operation: isActive ? 'PAUSE' : 'RECOVER', reason } })
          }
          then={() => {
            close();
            done(isActive ? `${name} is paused: its agent is refused.` : `${name} is verified, and active again if that is sufficient.`);
          }}
        >
          <Text>
            {isActive
              ? 'The gateway refuses the agent of this runtime until it is recovered.'
              : 'A verification starts. The runtime is active again if its status is sufficient and no critical finding is open.'}
          </Text>
        </ReasonForm>
      )}
    </DialogButton>
  );
};

const RuntimeActions = ({ runtime, session, done }: ActionProps): ReactNode => {
  const params = { runtimeId: runtime.id };
  return (
    <Group gap="xs">
      {may(session, 'runtime:verify') ? (
        <>
          {CONNECTS.has(runtime.kind) ? (
            <ActionButton
              does="Test connection"
              to={runtime.name}
              send={() => client.request('testRuntime', { params })}
              then={({ detail }) => done(detail)}
            />
          ) : null}
          <ActionButton
            does="Verify now"
            to={runtime.name}
            send={() => client.request('verifyRuntime', { params })}
            then={() => done('Verification started. This page shows its progress.')}
          />
        </>
      ) : null}
      {may(session, 'runtime:operate') ? <Operate runtime={runtime} session={session} done={done} /> : null}
    </Group>
  );
};

const LastRun = ({ run }: { readonly run: Runtime['last_run'] }): ReactNode => {
  if (run === null) return 'Never verified';
  const { state, step, failure, workflows, requests } = run;
  if (state === 'QUEUED' || state === 'RUNNING') return `Under way: ${step.toLowerCase()}, ${workflows} workflows, ${requests} requests`;
  return failure ?? `${state.toLowerCase()}: ${workflows} workflows, ${requests} requests`;
};

const Overview = ({ runtime }: { readonly runtime: Runtime }): ReactNode => {
  const { enforcement, connection } = runtime;
  return (
    <>
      <Facts
        facts={[
          ['Enforcement', <EnforcementPill key="status" status={enforcement.status} />],
          ['Meaning', ENFORCEMENT_MEANING[enforcement.status]],
          ['Its agent', enforcement.refuses_agents ? 'is refused: the evidence is not sufficient' : 'may act, as far as policies allow'],
          ['Connection', `${HEALTH_WORDS[connection.health]}${connection.detail === '' ? '' : `: ${connection.detail}`}`],
          ['Last verification', <LastRun key="run" run={runtime.last_run} />],
          ['Kind', `${KIND_WORDS[runtime.kind]} (${runtime.product})`],
          [
            'Agent',
            runtime.agent_id === null ? (
              'None'
            ) : (
              <a key="agent" href={buildConsolePath('agent', { agentId: runtime.agent_id })}>
                {runtime.agent_id}
              </a>
            ),
          ],
          ['Id', <Id key="id" id={runtime.id} />],
        ]}
      />
      {enforcement.reasons.length === 0 ? null : (
        <Panel title="Reasons for this status">
          <ul>
            {enforcement.reasons.map(({ at_most, why }) => (
              <li key={`${at_most} ${why}`}>
                <EnforcementPill status={at_most} /> at most: {why}
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
};

const EvidencePanel = ({ runtimeId }: { readonly runtimeId: string }): ReactNode => {
  const { data, error } = useOperation('getRuntimeEnforcement', { params: { runtimeId } }, { everyMs: EVERY_MS });
  return (
    <Panel title="Evidence">
      <Problem error={error ?? undefined} />
      <Table
        label="Evidence"
        rows={data?.latest.evidence}
        columns={EVIDENCE_COLUMNS}
        keyOf={({ name }) => name}
        empty="No evidence yet. Verify the runtime."
      />
    </Panel>
  );
};

const Workflows = ({ runtimeId }: { readonly runtimeId: string }): ReactNode => {
  const list = usePages('listRuntimeWorkflows', { params: { runtimeId } });
  return (
    <Panel title="Workflows">
      <ListTable
        label="Workflows"
        list={{ ...list, items: list.items?.map((each) => ({ ...each, id: each.workflow_id })) }}
        columns={workflowColumns(runtimeId)}
        empty="No workflow was inspected yet."
      />
    </Panel>
  );
};

type PageProps = { readonly params: { readonly runtimeId: string }; readonly session: Session };

/** A runtime: its status with the evidence, the findings and their remedies, and the workflows that were inspected. */
export const RuntimePage = ({ params, session }: PageProps): ReactNode => {
  const { data: runtime, error } = useOperation('getRuntime', { params }, { everyMs: EVERY_MS });
  const { announce, announcement } = useAnnouncement();
  const done = (text: string): void => {
    announce(text);
    void refresh('getRuntime', 'listRuntimes', 'listRuntimeFindings', 'getRuntimeEnforcement', 'listRuntimeRuns');
  };
  return (
    <ConsolePage
      title={runtime?.name ?? 'Runtime'}
      parent={PARENT}
      actions={runtime === undefined ? null : <RuntimeActions runtime={runtime} session={session} done={done} />}
    >
      <Problem error={error ?? undefined} />
      {announcement}
      {runtime === undefined && !error ? <Skeleton lines={6} /> : null}
      {runtime === undefined ? null : (
        <>
          <Overview runtime={runtime} />
          <Findings runtimeId={runtime.id} session={session} done={done} />
          <EvidencePanel runtimeId={runtime.id} />
          {CONNECTS.has(runtime.kind) ? <Workflows runtimeId={runtime.id} /> : null}
          <Runs runtimeId={runtime.id} />
        </>
      )}
    </ConsolePage>
  );
};
