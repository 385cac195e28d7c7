import { NativeSelect } from '@mantine/core';
import type { OperationResult } from '@svc/client/client-types.ts';
import type { ReactNode } from 'react';
import type { ApiError } from '../../data/answer.ts';
import { findFault } from '../../data/faults.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Checkbox } from '../../design/checkbox.tsx';
import { Stack } from '../../design/kit.tsx';

/** The roles that the person may assign, because they hold all their permissions, and the workspaces that they see. */
export type Offer = {
  readonly roles: readonly Pick<OperationResult<'listRoles'>[number], 'id' | 'name'>[];
  readonly workspaces: OperationResult<'listWorkspaces'>;
};

/** Undefined while it loads; empty where the person may not list roles or workspaces. */
export const useOffer = ({ permissions }: Session): Offer | undefined => {
  const roles = useOperation('listRoles', {});
  const workspaces = useOperation('listWorkspaces', {});
  if (roles.isPending || workspaces.isPending) return undefined;
  const isHeld = (needed: string): boolean => permissions.some((permission) => permission === needed);
  return { roles: (roles.data ?? []).filter((role) => role.permissions.every(isHeld)), workspaces: workspaces.data ?? [] };
};

/** The role and the workspaces of a member or an invitation. */
export type Access = { readonly role: { readonly id: string; readonly name: string }; readonly workspace_ids: readonly string[] | null };

/** Names the workspaces of a member; all of them where the member is not limited to some. */
export const formatWorkspace = ({ workspace_ids }: Pick<Access, 'workspace_ids'>, { workspaces }: Offer): string =>
  workspace_ids === null ? 'All' : workspace_ids.map((id) => workspaces.find((each) => each.id === id)?.name ?? id).join(', ');

/** The part of a request that the fields below make. */
export const getAccess = (role_id = '', workspaces: readonly string[] = []) => ({
  role_id,
  workspace_ids: workspaces.length > 0 ? [...workspaces] : null,
});

/** No role is chosen at first, so that none is assigned by mistake. */
const UNCHOSEN = { value: '', label: 'Choose a role', disabled: true };

type FieldsProps = { readonly offer: Offer; readonly now?: Access; readonly error: ApiError | undefined };

export const AccessFields = ({ offer: { roles, workspaces }, now, error }: FieldsProps): ReactNode => {
  // The present role stays on offer, also to people who could not assign it.
  const offered = now && !roles.some(({ id }) => id === now.role.id) ? [now.role, ...roles] : roles;
  return (
    <>
      <NativeSelect
        name="role_id"
        label="Role"
        defaultValue={now?.role.id ?? ''}
        required
        error={findFault(error, 'role_id')}
        data={[...(now ? [] : [UNCHOSEN]), ...offered.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      {workspaces.length === 0 ? null : (
        <fieldset className="boxes">
          <legend>Limit to workspaces (optional)</legend>
          <Stack gap="xs">
            {workspaces.map(({ id, name }) => (
              <Checkbox key={id} name="workspace_ids" value={id} label={name} defaultChecked={now?.workspace_ids?.includes(id) ?? false} />
            ))}
          </Stack>
        </fieldset>
      )}
    </>
  );
};
