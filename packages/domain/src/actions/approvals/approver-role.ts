import { BUILT_IN_ROLES, builtInRole } from '@svc/contract/tables/built-in-roles.ts';

const owner = builtInRole('owner').id;
const names: ReadonlyMap<string, string> = new Map(BUILT_IN_ROLES.map((role) => [role.id, role.name]));

/** Whether who holds a role counts as the approver that a rule asks for, by the name of a built-in role or by the id of any. An owner always does. */
export const countsAs = (heldRoleId: string, asked: string): boolean =>
  heldRoleId === owner || heldRoleId === asked || names.get(heldRoleId) === asked;

/** Whether who holds a role may decide at all: it has to be one of those asked for. */
export const mayDecide = (heldRoleId: string, askedRoles: readonly string[]): boolean =>
  heldRoleId === owner || askedRoles.some((asked) => countsAs(heldRoleId, asked));
