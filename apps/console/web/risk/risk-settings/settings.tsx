import type { OperationResult } from '@svc/client/client-types.ts';
import { buildConsolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useState } from 'react';
import { useEnvironments } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import { getEnvironmentLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { Text } from '../../design/kit.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { formatSignal, refreshRisk } from '../risk-events/risk-words.tsx';
import { SignalPoints } from './signal-points.tsx';
import { Thresholds } from './thresholds.tsx';

type Settings = OperationResult<'getRiskSettings'>;
type Signal = OperationResult<'listRiskSignals'>[number];

const hoursText = ({ hours }: Settings): string =>
  hours === null ? 'Learned from each agent' : `${hours.from}:00 to ${hours.to}:00${hours.weekdays_only ? ', weekdays only' : ''}`;

const listText = (values: readonly string[]): string => (values.length === 0 ? 'None' : values.join(', '));

const SIGNALS: readonly Column<Signal>[] = [
  { name: 'Signal', show: ({ name }) => formatSignal(name) },
  { name: 'Family', show: ({ family }) => family },
  {
    name: 'Points',
    show: ({ points, higher_points }) => (higher_points === points ? points : `${points}, or ${higher_points}`),
    isNumber: true,
  },
  { name: 'Default', show: ({ default_points }) => default_points, isNumber: true },
  { name: 'Meaning', show: ({ description }) => description, isLong: true },
];

type PartProps = { readonly settings: Settings; readonly mayUpdate: boolean; readonly done: (text: string) => void };

const Signals = ({ settings, mayUpdate, done }: PartProps): ReactNode => {
  const { items, error } = usePages('listRiskSignals', { query: { environment_id: settings.environment_id } });
  const change: Column<Signal> = {
    name: 'Change',
    isActions: true,
    show: (signal) => (
      <DialogButton label="Change points" to={formatSignal(signal.name)}>
        {(close) => (
          <SignalPoints
            settings={settings}
            signal={signal}
            done={(text) => {
              close();
              done(text);
            }}
          />
        )}
      </DialogButton>
    ),
  };
  if (error) return <Problem error={error} />;
  return (
    <Table label="Points by signal" columns={mayUpdate ? [...SIGNALS, change] : SIGNALS} rows={items} keyOf={({ name }) => name} empty="" />
  );
};

const Content = ({ settings, mayUpdate, done }: PartProps): ReactNode => (
  <>
    <Panel title="Thresholds">
      <Thresholds settings={settings} mayUpdate={mayUpdate} done={done} />
    </Panel>
    <Panel title="Signals">
      <Signals settings={settings} mayUpdate={mayUpdate} done={done} />
    </Panel>
    <Panel title="Exceptions for all agents">
      <Facts
        facts={[
          ['Hours', hoursText(settings)],
          ['Known networks', listText(settings.known_networks)],
          ['Own destinations', listText(settings.internal_destinations)],
          ['Processors', listText(settings.processors.map(({ host }) => host))],
          ['Changed', settings.updated_at === null ? 'Never' : <Time key="updated" at={settings.updated_at} />],
        ]}
      />
      <Text size="sm">
        Change them with <code>svc risk-settings update</code> or the API.
      </Text>
    </Panel>
  </>
);

type RiskSettingsPageProps = { readonly params: RouteParams<'riskSettings'>; readonly session: Session };

const PARENT = { name: 'Risk', path: buildConsolePath('risk') };

/** Thresholds and points of an environment. */
export const RiskSettingsPage = ({ params, session }: RiskSettingsPageProps): ReactNode => {
  const { data: settings, error } = useOperation('getRiskSettings', { params });
  const environments = useEnvironments() ?? [];
  const [version, setVersion] = useState(0);
  const { announce, announcement } = useAnnouncement();
  const mayUpdate = may(session, 'risk:update');
  const done = (text: string): void => {
    announce(text);
    setVersion(version + 1);
    void refreshRisk();
  };
  return (
    <ConsolePage title="Risk settings" parent={PARENT}>
      <Text>
        Environment: <bdi>{getEnvironmentLabel(params.environmentId, environments)}</bdi>
      </Text>
      <Problem error={error ?? undefined} />
      {announcement}
      {mayUpdate ? null : <MissingPermission needs="risk:update" to="change the settings" />}
      {settings === undefined && !error ? <Skeleton lines={8} /> : null}
      {settings === undefined ? null : <Content key={version} settings={settings} mayUpdate={mayUpdate} done={done} />}
    </ConsolePage>
  );
};
