import type { ReactNode } from 'react';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Text } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { MODE_MEANING, ModePill } from '../../design/mode-pill.tsx';
import { StatusPill } from '../../design/status-pill.tsx';
import type { Column } from '../../design/table.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { CreateEnvironment } from './create.tsx';
import { type Environment, EnvironmentActions } from './environment-actions.tsx';
import { SCOPE_MEANING } from './set-context-scope.tsx';

const changed = (): void => void refresh('listEnvironments');

const Mode = ({ environment: { mode, paused, archived_at } }: { readonly environment: Environment }): ReactNode =>
  archived_at === null ? <ModePill mode={mode} isPaused={paused} /> : <StatusPill tone="neutral">Archived</StatusPill>;

/** Environments with their mode, in which agents act. */
export const Environments = ({ session }: { readonly session: Session }): ReactNode => {
  const list = usePages('listEnvironments', {});
  const workspaces = useOperation('listWorkspaces', {}).data ?? [];
  const { announce, announcement } = useAnnouncement();
  const done = (text: string): void => {
    announce(text);
    changed();
  };
  const mayCreate = may(session, 'environment:create');
  const create =
    mayCreate && workspaces.length > 0 ? (
      <DialogButton label="New environment" isPrimary>
        {(close) => (
          <CreateEnvironment
            workspaces={workspaces}
            onCreated={({ name }) => {
              close();
              done(`${name} was created. It enforces: register agents, and activate a policy that allows their requests.`);
            }}
          />
        )}
      </DialogButton>
    ) : null;
  const columns: readonly Column<Environment>[] = [
    { name: 'Name', show: ({ name }) => <bdi>{name}</bdi> },
    { name: 'Workspace', show: ({ workspace_id }) => workspaces.find(({ id }) => id === workspace_id)?.name ?? workspace_id },
    { name: 'Type', show: ({ type }) => type.toLowerCase() },
    { name: 'Mode', show: (environment) => <Mode environment={environment} /> },
    { name: 'Meaning', show: ({ mode, paused }) => (paused ? 'Every request is blocked.' : MODE_MEANING[mode]), isLong: true },
    { name: 'Delegation', show: ({ requires_delegation }) => (requires_delegation ? 'Required' : 'Optional') },
    { name: 'Data labels', show: ({ context_scope }) => SCOPE_MEANING[context_scope] },
    {
      name: 'Actions',
      isActions: true,
      show: (environment) => <EnvironmentActions environment={environment} session={session} done={done} />,
    },
  ];
  return (
    <ConsolePage title="Environments" actions={create}>
      <Text>Agents, tools and policies belong to an environment. Its mode says whether decisions apply.</Text>
      {mayCreate ? null : <MissingPermission needs="environment:create" to="create environments" />}
      {announcement}
      <ListTable label="Environments" list={list} columns={columns} empty="No environments yet." emptyAction={create} />
    </ConsolePage>
  );
};
