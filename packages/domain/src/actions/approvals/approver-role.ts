import { isNamed, isOwner, type Role } from '../../people/roles/role.ts';

/** Whether who holds a role counts as the approver that a rule asks for, by the name of a built-in role or by the id of any. An owner always does. */
export const countsAs = (held: Role, asked: string): boolean => isOwner(held) || isNamed(held, asked);

/** Whether who holds a role may decide at all: it has to be one of those asked for. */
export const mayDecide = (held: Role, askedRoles: readonly string[]): boolean =>
  isOwner(held) || askedRoles.some((asked) => countsAs(held, asked));

/** Whether a role still lets its people approve: one that lost the permission counts for nobody. */
export const mayApprove = ({ permissions }: Role): boolean => permissions.includes('approval:approve');
