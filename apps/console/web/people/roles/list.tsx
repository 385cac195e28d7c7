import type { OperationResult } from '@svc/client/client-types.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Text } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import type { Column } from '../../design/table.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { RoleForm } from './role-form.tsx';

type Role = OperationResult<'listRoles'>[number];

const COLUMNS: readonly Column<Role>[] = [
  { name: 'Name', show: ({ name }) => <bdi>{name}</bdi> },
  { name: 'Description', show: ({ description }) => description, isLong: true },
  { name: 'Permissions', show: ({ permissions }) => permissions.length, isNumber: true },
  { name: 'Kind', show: ({ built_in }) => (built_in ? 'Built in' : 'Own') },
];

/** Roles of members and API keys. */
export const Roles = ({ session }: { readonly session: Session }): ReactNode => {
  const list = usePages('listRoles', {});
  const catalogue = useOperation('listPermissions', {});
  const [, navigate] = useLocation();
  const mayCreate = may(session, 'role:create');
  const create =
    mayCreate && catalogue.data ? (
      <DialogButton label="New role" isPrimary>
        {(close) => (
          <RoleForm
            submit="Create role"
            catalogue={catalogue.data}
            send={(body) => client.request('createRole', { body })}
            then={({ id }) => {
              close();
              void refresh('listRoles');
              navigate(buildConsolePath('role', { roleId: id }));
            }}
          />
        )}
      </DialogButton>
    ) : null;
  return (
    <ConsolePage title="Roles" actions={create}>
      <Text>A role is a set of permissions. Members and API keys have one role each.</Text>
      {mayCreate ? null : <MissingPermission needs="role:create" to="create roles" />}
      <ListTable
        label="Roles"
        list={list}
        columns={COLUMNS}
        pathOf={({ id }) => buildConsolePath('role', { roleId: id })}
        empty="No roles."
      />
    </ConsolePage>
  );
};
