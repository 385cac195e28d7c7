import type { OperationResult } from '@svc/client/client-types.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { Group } from '../../design/kit.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { RoleForm } from './role-form.tsx';

type Role = OperationResult<'getRole'>;
type Permission = Role['allows'][number];

const STEP_UP_WORDS = { ALWAYS: 'Always', WHEN_REDUCING: 'To reduce protection' } as const;

const COLUMNS: readonly Column<Permission>[] = [
  { name: 'Permission', show: ({ permission }) => <code>{permission}</code> },
  { name: 'Allows', show: ({ allows }) => allows, isLong: true },
  { name: 'Step-up', show: ({ step_up }) => (step_up === null ? 'No' : STEP_UP_WORDS[step_up]) },
];

const PARENT = { name: 'Roles', path: buildConsolePath('roles') };

type ChangeProps = { readonly role: Role; readonly session: Session; readonly announce: (text: string) => void };

const Change = ({ role, session, announce }: ChangeProps): ReactNode => {
  const catalogue = useOperation('listPermissions', {});
  const [, navigate] = useLocation();
  const params = { roleId: role.id };
  if (role.built_in) return null;
  return (
    <Group gap="xs">
      {may(session, 'role:update') && catalogue.data ? (
        <DialogButton label="Edit" to={role.name}>
          {(close) => (
            <RoleForm
              submit="Save"
              catalogue={catalogue.data}
              now={role}
              send={(body) => client.request('updateRole', { params, body })}
              then={() => {
                close();
                announce('The role was changed. It applies to the next request of each member.');
                void refresh('getRole', 'listRoles');
              }}
            />
          )}
        </DialogButton>
      ) : null}
      {may(session, 'role:delete') ? (
        <ActionButton
          does="Delete"
          to={role.name}
          means="A role that members, keys or invitations use cannot be deleted."
          send={() => client.request('deleteRole', { params })}
          then={() => {
            void refresh('listRoles');
            navigate(buildConsolePath('roles'));
          }}
        />
      ) : null}
    </Group>
  );
};

/** A role, with the meaning of each permission and the number of those who have it. */
export const RolePage = ({ params, session }: { readonly params: { readonly roleId: string }; readonly session: Session }): ReactNode => {
  const { data: role, error } = useOperation('getRole', { params });
  const { announce, announcement } = useAnnouncement();
  if (role === undefined)
    return (
      <ConsolePage title="Role" parent={PARENT}>
        {error ? <Problem error={error} /> : <Skeleton lines={6} />}
      </ConsolePage>
    );
  const { members, api_keys, invitations } = role.used_by;
  return (
    <ConsolePage title={role.name} parent={PARENT} actions={<Change role={role} session={session} announce={announce} />}>
      {announcement}
      <Facts
        facts={[
          ['Description', role.description || 'None'],
          ['Kind', role.built_in ? 'Built in. It cannot be changed.' : 'Own'],
          ['Members', members],
          ['API keys', api_keys],
          ['Open invitations', invitations],
        ]}
      />
      <Panel title="Permissions">
        <Table label="Permissions" rows={role.allows} columns={COLUMNS} keyOf={({ permission }) => permission} empty="No permissions." />
      </Panel>
    </ConsolePage>
  );
};
