import type { Permission } from '@svc/contract/tables/permissions.ts';
import type { ReactNode } from 'react';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';

const SHOWN_MAX = 5;
const READ_MAX = 200;

type PeopleProps = { readonly permission: Permission; readonly session: Session };

/** The people whose role has a permission, by name; a hint where the person may not see members and roles. */
export const PermissionHolders = ({ permission, session }: PeopleProps): ReactNode => {
  const canRead = may(session, 'member:read') && may(session, 'role:read');
  const roles = useOperation('listRoles', {}, { isEnabled: canRead });
  const members = useOperation('listMembers', { query: { limit: READ_MAX } }, { isEnabled: canRead });
  if (!canRead) return <>an owner or administrator</>;
  if (roles.data === undefined || members.data === undefined) return null;
  const holding = new Set(roles.data.filter(({ permissions }) => permissions.includes(permission)).map(({ id }) => id));
  const names = members.data.filter(({ role }) => holding.has(role.id)).map(({ user }) => user.name);
  if (names.length === 0) return <>no one</>;
  const more = names.length - SHOWN_MAX;
  return (
    <bdi>
      {names.slice(0, SHOWN_MAX).join(', ')}
      {more > 0 ? ` and ${more} more` : ''}
    </bdi>
  );
};
