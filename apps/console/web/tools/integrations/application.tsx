import type { OperationResult } from '@svc/client/client-types.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { useEnvironments } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import { getEnvironmentLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { Text } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { type Application, SetUpForm } from './set-up-form.tsx';

type Integration = OperationResult<'listIntegrations'>['items'][number];
type ServiceAction = Extract<Application['actions'][number], { readonly performed_by: 'SERVICE' }>;

const PARENT = { name: 'Integrations', path: buildConsolePath('integrations') };

const RISK_WORDS = { LOW: 'Low', MEDIUM: 'Medium', HIGH: 'High', CRITICAL: 'Critical' } as const;

const ACTION_COLUMNS: readonly Column<ServiceAction>[] = [
  { name: 'Action', show: ({ name }) => <bdi>{name}</bdi> },
  { name: 'Key', show: ({ key }) => <code>{key}</code> },
  {
    name: 'Request',
    show: ({ method, path }) => (
      <code>
        {method} {path}
      </code>
    ),
    isLong: true,
  },
  { name: 'Risk', show: ({ risk }) => RISK_WORDS[risk.rating] },
];

type InstalledProps = { readonly application: string; readonly session: Session; readonly announce: (text: string) => void };

const Installed = ({ application, session, announce }: InstalledProps): ReactNode => {
  const environments = useEnvironments() ?? [];
  const list = usePages('listIntegrations', { query: { status: 'ACTIVE' } });
  const items = list.items?.filter((each) => each.application === application);
  const columns: readonly Column<Integration>[] = [
    { name: 'Name', show: ({ name }) => <bdi>{name}</bdi> },
    { name: 'Environment', show: ({ environment_id }) => getEnvironmentLabel(environment_id, environments) },
    {
      name: 'Tools',
      isLong: true,
      show: ({ tools }) =>
        tools.map(({ tool_id, name }, index) => (
          <span key={tool_id}>
            {index === 0 ? '' : ', '}
            <a href={buildConsolePath('tool', { toolId: tool_id })}>{name}</a>
          </span>
        )),
    },
    {
      name: 'Actions',
      isActions: true,
      show: ({ id, name }) =>
        may(session, 'integration:update') && may(session, 'tool:disable') ? (
          <ActionButton
            does="Remove"
            to={name}
            means="Its tools are disabled. The credential remains until you revoke it."
            send={() => client.request('removeIntegration', { params: { integrationId: id } })}
            then={() => {
              announce(`${name} was removed.`);
              void refresh('listIntegrations', 'listTools');
            }}
          />
        ) : null,
    },
  ];
  return (
    <Panel title="Set up">
      <ListTable label="Integrations" list={{ ...list, items }} columns={columns} empty="This application is not set up yet." />
    </Panel>
  );
};

type DetailProps = { readonly application: Application; readonly session: Session };

const Detail = ({ application, session }: DetailProps): ReactNode => {
  const { announce, announcement } = useAnnouncement();
  const environments = useEnvironments();
  const actions = application.actions.filter((action): action is ServiceAction => action.performed_by === 'SERVICE');
  const maySetUp = (['integration:create', 'tool:create', 'credential:create'] as const).every((needed) => may(session, needed));
  return (
    <>
      <Text>{application.summary}</Text>
      {announcement}
      <Installed application={application.key} session={session} announce={announce} />
      {actions.length === 0 ? (
        <Text>The service performs no action of this application: it is known by name only. Import its OpenAPI document to govern it.</Text>
      ) : null}
      {actions.length > 0 && !maySetUp ? <MissingPermission needs="integration:create" to="set up applications" /> : null}
      {actions.length > 0 && maySetUp && environments !== undefined ? (
        <Panel title="New integration">
          <SetUpForm
            application={application}
            actions={actions}
            environments={environments}
            onCreated={({ name, tools }) => {
              announce(`${name} is set up with ${tools.length} tools. Authorize agents for them, and allow them in a policy.`);
              void refresh('listIntegrations', 'listTools', 'listCredentials');
            }}
          />
        </Panel>
      ) : null}
      <Panel title="Actions of the application">
        <Table label="Actions" rows={actions} columns={ACTION_COLUMNS} keyOf={({ key }) => key} empty="None." />
      </Panel>
    </>
  );
};

type PageProps = { readonly params: { readonly application: string }; readonly session: Session };

/** An application of the catalogue: its actions, the form that sets it up, and where it is set up. */
export const ApplicationPage = ({ params, session }: PageProps): ReactNode => {
  const { data: application, error } = useOperation('getApplication', { params });
  return (
    <ConsolePage title={application?.name ?? 'Application'} parent={PARENT}>
      <Problem error={error ?? undefined} />
      {application === undefined && !error ? <Skeleton lines={6} /> : null}
      {application === undefined ? null : <Detail application={application} session={session} />}
    </ConsolePage>
  );
};
