import type { OperationResult } from '@svc/client/client-types.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { useEnvironments } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import { getEnvironmentLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { SEVERITY_NAMES } from '../../data/severity-names.ts';
import { refresh } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { Panel } from '../../design/panel.tsx';
import { ReasonForm } from '../../design/reason-form.tsx';
import { StatusPill } from '../../design/status-pill.tsx';
import type { Column } from '../../design/table.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { CreateRule } from './create.tsx';
import { formatCondition, KEY_NAMES } from './rule-words.ts';

type Rule = OperationResult<'listIncidentRules'>[number];
type ChangeProps = { readonly rule: Rule; readonly done: (text: string) => void };

const Switch = ({ rule: { id, name, enabled }, done }: ChangeProps): ReactNode => (
  <DialogButton label={enabled ? 'Disable' : 'Enable'} to={name}>
    {(close) => (
      <ReasonForm
        submit={enabled ? 'Disable' : 'Enable'}
        send={(reason) => client.request('updateIncidentRule', { params: { incidentRuleId: id }, body: { enabled: !enabled, reason } })}
        then={() => {
          close();
          done(`${name} is ${enabled ? 'disabled' : 'enabled'}.`);
        }}
      />
    )}
  </DialogButton>
);

const Delete = ({ rule: { id, name }, done }: ChangeProps): ReactNode => (
  <DialogButton label="Delete" to={name}>
    {(close) => (
      <ReasonForm
        submit="Delete"
        isDanger
        send={(reason) => client.request('deleteIncidentRule', { params: { incidentRuleId: id }, body: { reason } })}
        then={() => {
          close();
          done(`${name} is deleted. Its incidents stay.`);
        }}
      />
    )}
  </DialogButton>
);

/** Rules that open incidents, by environment. */
export const IncidentRules = ({ session }: { readonly session: Session }): ReactNode => {
  const environments = useEnvironments() ?? [];
  const list = usePages('listIncidentRules', {});
  const { announce, announcement } = useAnnouncement();
  const mayChange = may(session, 'risk:update');
  const done = (text: string): void => {
    announce(text);
    void refresh('listIncidentRules');
  };
  const change: Column<Rule> = {
    name: 'Change',
    isActions: true,
    show: (rule) => (
      <>
        <Switch rule={rule} done={done} />
        <Delete rule={rule} done={done} />
      </>
    ),
  };
  const columns: readonly Column<Rule>[] = [
    { name: 'Rule', show: ({ name }) => <bdi>{name}</bdi> },
    {
      name: 'Status',
      show: ({ enabled }) => <StatusPill tone={enabled ? 'allowed' : 'neutral'}>{enabled ? 'Enabled' : 'Disabled'}</StatusPill>,
    },
    { name: 'Condition', show: formatCondition, isLong: true },
    { name: 'One incident for each', show: ({ key }) => KEY_NAMES[key] },
    { name: 'Severity', show: ({ severity }) => SEVERITY_NAMES[severity] },
    { name: 'Containment', show: ({ contain }) => (contain === null ? 'None' : 'Pauses the agent') },
    { name: 'Environment', show: ({ environment_id }) => getEnvironmentLabel(environment_id, environments) },
    ...(mayChange ? [change] : []),
  ];
  const create =
    mayChange && environments.length > 0 ? (
      <DialogButton label="New rule">
        {(close) => (
          <CreateRule
            environments={environments}
            mayPause={may(session, 'agent:pause')}
            done={(text) => {
              close();
              done(text);
            }}
          />
        )}
      </DialogButton>
    ) : null;
  return (
    <Panel title="Rules that open incidents" actions={create}>
      {mayChange ? null : <MissingPermission needs="risk:update" to="change rules" />}
      {announcement}
      <ListTable
        label="Incident rules"
        list={list}
        columns={columns}
        empty="No rules. A rule opens one incident when its condition is met."
      />
    </Panel>
  );
};
