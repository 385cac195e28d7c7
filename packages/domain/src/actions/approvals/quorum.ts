import type { Role } from '../../people/roles/role.ts';
import { countsAs, mayApprove, mayDecide } from './approver-role.ts';

/** A person who approved, with the role they hold now; null when they have left, or no longer see what they voted on. */
export type Approver = { readonly user_id: string; readonly role: Role | null };

export type QuorumTerms = {
  /** Of all roles together. */
  readonly quorum: number;
  readonly approver_roles: readonly string[];
  /** How many of each role, in their order. Not stated: the quorum where there is one role, and otherwise one of each. */
  readonly role_quorums?: readonly number[] | null;
};

/** How many people of one role are asked for; none where the role is not. */
export const quorumOf = ({ quorum, approver_roles, role_quorums }: QuorumTerms, role: string): number => {
  const place = approver_roles.indexOf(role);
  if (place < 0) return 0;
  return Math.max(1, role_quorums?.[place] ?? (approver_roles.length === 1 ? quorum : 1));
};

export type Count = {
  readonly granted: boolean;
  /** Different people whose vote counts. */
  readonly people: readonly string[];
  /** Roles asked for that not enough of them hold. */
  readonly missing_roles: readonly string[];
};

/** Granted by enough different people, each in a role that is asked for, and enough of every role. Who lost the role counts no more. */
export const countApprovers = (terms: QuorumTerms, approvers: readonly Approver[]): Count => {
  const { quorum, approver_roles } = terms;
  const held = new Map<string, Role>();
  for (const { user_id, role } of approvers)
    if (role !== null && mayApprove(role) && mayDecide(role, approver_roles)) held.set(user_id, role);
  const roles = [...held.values()];
  const missing = approver_roles.filter((asked) => roles.filter((role) => countsAs(role, asked)).length < quorumOf(terms, asked));
  return { granted: held.size >= Math.max(1, quorum) && missing.length === 0, people: [...held.keys()], missing_roles: missing };
};
