import { Checkbox, NativeSelect, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { type ApiError, call } from '../../data/call.ts';
import { faultOf } from '../../data/faults.ts';
import type { Session } from '../../data/session.ts';

type Role = { readonly id: string; readonly name: string; readonly permissions: readonly string[] };
type Workspace = { readonly id: string; readonly name: string };

/** What there is to give: roles of which whoever asks holds every permission, and the workspaces that they see. */
export type Offer = { readonly roles: readonly Role[]; readonly workspaces: readonly Workspace[] };

const offerTo = async ({ permissions }: Session): Promise<Offer> => {
  const [roles, workspaces] = await Promise.all([
    call<readonly Role[]>('GET', '/v1/roles'),
    call<readonly Workspace[]>('GET', '/v1/workspaces'),
  ]);
  return {
    roles: roles.ok ? roles.body.filter((role) => role.permissions.every((permission) => permissions.includes(permission))) : [],
    workspaces: workspaces.ok ? workspaces.body : [],
  };
};

export const useOffer = (session: Session): Offer | undefined => {
  const [offer, setOffer] = useState<Offer>();
  useEffect(() => void offerTo(session).then(setOffer), [session]);
  return offer;
};

/** The role and the workspaces of somebody, as they are told. */
export type Access = { readonly role: { readonly id: string; readonly name: string }; readonly workspace_ids: readonly string[] | null };

export const accessWords = ({ role, workspace_ids }: Access, { workspaces }: Offer): string => {
  if (workspace_ids === null) return `${role.name}, in the whole organization`;
  return `${role.name}, in ${workspace_ids.map((id) => workspaces.find((each) => each.id === id)?.name ?? id).join(', ')}`;
};

/** What the fields below send. */
export const accessOf = (role_id: string | undefined, workspaces: readonly string[]) => ({
  role_id,
  workspace_ids: workspaces.length > 0 ? workspaces : null,
});

/** Nobody becomes an owner because nobody chose. */
const UNCHOSEN = { value: '', label: 'Choose the smallest that does', disabled: true };

type FieldsProps = { readonly offer: Offer; readonly now?: Access; readonly error: ApiError | undefined };

export const AccessFields = ({ offer: { roles, workspaces }, now, error }: FieldsProps): ReactNode => {
  // The role that somebody has stays on offer, also to whoever could not give it.
  const offered = now && !roles.some(({ id }) => id === now.role.id) ? [now.role, ...roles] : roles;
  return (
    <>
      <NativeSelect
        name="role_id"
        label="Role"
        defaultValue={now?.role.id ?? ''}
        required
        error={faultOf(error, 'role_id')}
        data={[...(now ? [] : [UNCHOSEN]), ...offered.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      {workspaces.length === 0 ? null : (
        <fieldset className="boxes">
          <legend>Workspaces (none for the whole organization)</legend>
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
