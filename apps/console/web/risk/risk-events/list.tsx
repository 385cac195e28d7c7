import { NativeSelect } from '@mantine/core';
import type { OperationResult } from '@svc/client/client-types.ts';
import { RISK_EVENT_STATUSES } from '@svc/contract/risk/risk-events.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { type LabelledEnvironment, useEnvironments } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import { getEnvironmentLabel, getEnvironmentOptions } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { formatDrawn } from '../../data/shown-json.ts';
import { useOperation } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { useQueryState } from '../../data/use-query-state.ts';
import { Ago } from '../../design/ago.tsx';
import { Text } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { formatSignal, type RiskEvent, RiskEventStatus, VERDICT_NAMES } from './risk-words.tsx';

type Summary = OperationResult<'summarizeRiskEvents'>;
type AgentRow = Summary['agents'][number];
type SignalRow = Summary['signals'][number];

const FILTERS = ['environment_id', 'status', 'agent_id', 'signal'] as const;
const ANY = { value: '', label: 'Any' };
const STATUS_OPTIONS = { OPEN: 'Open', ACKNOWLEDGED: 'Acknowledged', STALE: 'Not repeated' } as const;
const RATED_VERDICTS_MIN = 20;

const makeList = (query: Readonly<Record<string, string>>): string => `${buildConsolePath('risk')}?${new URLSearchParams(query)}`;

const agentColumns = (environments: readonly LabelledEnvironment[]): readonly Column<AgentRow>[] => [
  { name: 'Agent', show: ({ name }) => <bdi>{name}</bdi> },
  { name: 'Environment', show: ({ environment_id }) => getEnvironmentLabel(environment_id, environments) },
  { name: 'Risk now', show: ({ risk }) => risk, isNumber: true },
  { name: 'Highest score', show: ({ score }) => score, isNumber: true },
  { name: 'Open events', show: ({ agent_id, open_events }) => <a href={makeList({ agent_id, status: 'OPEN' })}>{open_events}</a> },
  { name: 'Last', show: ({ last_at }) => <Ago at={last_at} /> },
];

/** Verdicts of a signal in words, and a hint where most of them call it wrong. */
const verdictText = ({ verdicts }: SignalRow): string => {
  const { EXPECTED, FALSE_ALARM, CONFIRMED } = verdicts;
  const total = EXPECTED + FALSE_ALARM + CONFIRMED;
  if (total === 0) return 'None yet';
  const words = (Object.keys(VERDICT_NAMES) as (keyof typeof verdicts)[])
    .filter((verdict) => verdicts[verdict] > 0)
    .map((verdict) => `${VERDICT_NAMES[verdict]} ${verdicts[verdict]}`)
    .join(', ');
  return total >= RATED_VERDICTS_MIN && FALSE_ALARM * 2 > total ? `${words}. More than half are false alarms: lower its points.` : words;
};

const SIGNAL_COLUMNS: readonly Column<SignalRow>[] = [
  { name: 'Signal', show: ({ signal }) => <a href={makeList({ signal })}>{formatSignal(signal)}</a> },
  { name: 'Open events', show: ({ open_events }) => open_events, isNumber: true },
  { name: 'Agents', show: ({ agents }) => agents, isNumber: true },
  { name: 'Requests', show: ({ requests }) => requests, isNumber: true },
  { name: 'Verdicts', show: verdictText, isLong: true },
];

const EVENT_COLUMNS: readonly Column<RiskEvent>[] = [
  { name: 'Signal', show: ({ signal }) => formatSignal(signal) },
  { name: 'Status', show: (event) => <RiskEventStatus {...event} /> },
  { name: 'Finding', show: ({ sentence }) => <bdi>{formatDrawn(sentence)}</bdi>, isLong: true },
  { name: 'Points', show: ({ points }) => points, isNumber: true },
  { name: 'Highest score', show: ({ score }) => score, isNumber: true },
  { name: 'Requests', show: ({ count }) => count, isNumber: true },
  { name: 'Last', show: ({ last_at }) => <Ago at={last_at} /> },
];

const SettingsLinks = ({ environments }: { readonly environments: readonly LabelledEnvironment[] }): ReactNode => (
  <ul className="rows">
    {environments.map(({ id, label }) => (
      <li key={id}>
        <a href={buildConsolePath('riskSettings', { environmentId: id })}>
          <bdi>{label}</bdi>
        </a>
      </li>
    ))}
  </ul>
);

const Summaries = ({
  environmentId,
  environments,
}: {
  environmentId: string | undefined;
  environments: readonly LabelledEnvironment[];
}) => {
  const query = environmentId === undefined ? {} : { environment_id: environmentId };
  const { data, error } = useOperation('summarizeRiskEvents', { query });
  if (error) return <Problem error={error} />;
  return (
    <>
      <Panel title="Agents">
        <Table
          label="Agents with open risk events"
          columns={agentColumns(environments)}
          rows={data?.agents}
          keyOf={({ agent_id }) => agent_id}
          pathOf={({ agent_id }) => buildConsolePath('agent', { agentId: agent_id })}
          empty="No agent has open risk events."
        />
      </Panel>
      <Panel title="Signals">
        <Table
          label="Signals"
          columns={SIGNAL_COLUMNS}
          rows={data?.signals}
          keyOf={({ signal }) => signal}
          empty="No signal reached the threshold of its environment yet."
        />
      </Panel>
    </>
  );
};

/** Unusual acts of agents: by agent, by signal, and event by event. */
export const Risk = ({ session }: { readonly session: Session }): ReactNode => {
  const environments = useEnvironments() ?? [];
  const { values, set } = useQueryState(FILTERS);
  const list = usePages('listRiskEvents', { query: values as { status?: 'OPEN' } });
  return (
    <ConsolePage title="Risk">
      <Text>Signals add points to the score of a request. They refuse nothing: policies and people act on the score.</Text>
      {may(session, 'risk:acknowledge') ? null : <MissingPermission needs="risk:acknowledge" to="give verdicts" />}
      <Summaries environmentId={values.environment_id} environments={environments} />
      <Panel title="Events">
        <div className="filters">
          <NativeSelect
            label="Environment"
            value={values.environment_id ?? ''}
            data={[ANY, ...getEnvironmentOptions(environments)]}
            onChange={({ currentTarget }) => set({ environment_id: currentTarget.value })}
          />
          <NativeSelect
            label="Status"
            value={values.status ?? ''}
            data={[ANY, ...RISK_EVENT_STATUSES.map((value) => ({ value, label: STATUS_OPTIONS[value] }))]}
            onChange={({ currentTarget }) => set({ status: currentTarget.value })}
          />
        </div>
        <ListTable
          label="Risk events"
          list={list}
          columns={EVENT_COLUMNS}
          pathOf={({ id }) => buildConsolePath('riskEvent', { riskEventId: id })}
          empty={
            Object.keys(values).length === 0
              ? 'No risk events. Scores below the threshold of an environment make none.'
              : 'No risk events match.'
          }
          emptyAction={Object.keys(values).length === 0 ? null : <a href={buildConsolePath('risk')}>Show all</a>}
          isCounted
        />
      </Panel>
      <Panel title="Settings by environment">
        <SettingsLinks environments={environments} />
      </Panel>
    </ConsolePage>
  );
};
