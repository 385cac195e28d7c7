import type { OperationResult } from '@svc/client/client-types.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { usePages } from '../../data/use-pages.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { Panel } from '../../design/panel.tsx';
import { ReasonForm } from '../../design/reason-form.tsx';
import { StatusPill } from '../../design/status-pill.tsx';
import type { Column } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';

type Workspace = OperationResult<'listWorkspaces'>[number];
type Props = { readonly session: Session; readonly done: (text: string) => void };

const Create = ({ done }: Pick<Props, 'done'>): ReactNode => (
  <DialogButton label="New workspace">
    {(close) => (
      <Form
        submit="Create workspace"
        send={({ name = '' }) => client.request('createWorkspace', { body: { name } })}
        then={({ name }) => {
          close();
          done(`${name} was created. Add an environment to it next.`);
        }}
        fields={(error) => <TextField error={error} name="name" label="Name" />}
      />
    )}
  </DialogButton>
);

const RowActions = ({ workspace: { id, name, archived_at }, session, done }: Props & { readonly workspace: Workspace }): ReactNode => {
  const params = { workspaceId: id };
  if (archived_at !== null) return null;
  return (
    <>
      {may(session, 'workspace:update') ? (
        <DialogButton label="Rename" to={name}>
          {(close) => (
            <Form
              submit="Rename"
              send={(values) => client.request('updateWorkspace', { params, body: { name: values.name ?? '' } })}
              then={() => {
                close();
                done('Renamed.');
              }}
              fields={(error) => <TextField error={error} name="name" label="Name" defaultValue={name} />}
            />
          )}
        </DialogButton>
      ) : null}
      {may(session, 'environment:pause') ? (
        <DialogButton label="Archive" to={name}>
          {(close) => (
            <ReasonForm
              submit="Archive workspace"
              isDanger
              send={(reason) => client.request('archiveWorkspace', { params, body: { reason } })}
              then={() => {
                close();
                done(`${name} is archived.`);
              }}
            >
              <p>Every agent in the workspace is refused. Its data stays readable.</p>
            </ReasonForm>
          )}
        </DialogButton>
      ) : null}
    </>
  );
};

/** The workspaces of the organization. */
export const Workspaces = ({ session, done }: Props): ReactNode => {
  const list = usePages('listWorkspaces', {});
  const columns: readonly Column<Workspace>[] = [
    { name: 'Name', show: ({ name }) => <bdi>{name}</bdi> },
    { name: 'Slug', show: ({ slug }) => <code>{slug}</code> },
    {
      name: 'Status',
      show: ({ archived_at }) =>
        archived_at === null ? <StatusPill tone="allowed">Active</StatusPill> : <StatusPill tone="neutral">Archived</StatusPill>,
    },
    { name: 'Created', show: ({ created_at }) => <Time at={created_at} /> },
    { name: 'Actions', isActions: true, show: (workspace) => <RowActions workspace={workspace} session={session} done={done} /> },
  ];
  const create = may(session, 'workspace:create') ? <Create done={done} /> : null;
  return (
    <Panel title="Workspaces" actions={create}>
      <ListTable label="Workspaces" list={list} columns={columns} empty="No workspaces yet." />
    </Panel>
  );
};
