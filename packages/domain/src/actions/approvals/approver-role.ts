import { isNamed, isOwner, type RoleRecord } from '../../people/roles/role.ts';

/**
 * Returns true if a role counts as the approver that a rule requires, by the name of a built-in role or by the id of any. An owner always
 * does.
 */
export const countsAs = (held: RoleRecord, asked: string): boolean => isOwner(held) || isNamed(held, asked);

/** Returns true if a role may decide at all: it has to be one of the requested ones. */
export const mayDecide = (held: RoleRecord, askedRoles: readonly string[]): boolean =>
  isOwner(held) || askedRoles.some((asked) => countsAs(held, asked));

/** Returns true if a role still permits approving: one that lost the permission counts for no one. */
export const mayApprove = ({ permissions }: RoleRecord): boolean => permissions.includes('approval:approve');
