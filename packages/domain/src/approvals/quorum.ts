import { countsAs, mayDecide } from './approver-role.ts';

/** A person who approved, with the role they hold now; null when they have left. */
export type Approver = { readonly user_id: string; readonly role_id: string | null };

export type QuorumTerms = { readonly quorum: number; readonly approver_roles: readonly string[] };

export type Count = {
  readonly granted: boolean;
  /** Different people whose vote counts. */
  readonly people: number;
  /** Roles asked for that none of them holds. */
  readonly missing_roles: readonly string[];
};

/** Granted by enough different people, each in a role that is asked for, with every role among them. Who lost the role counts no more. */
export const countApprovers = ({ quorum, approver_roles }: QuorumTerms, approvers: readonly Approver[]): Count => {
  const held = new Map<string, string>();
  for (const { user_id, role_id } of approvers) if (role_id !== null && mayDecide(role_id, approver_roles)) held.set(user_id, role_id);
  const roles = [...held.values()];
  const missing = approver_roles.filter((asked) => !roles.some((role) => countsAs(role, asked)));
  return { granted: held.size >= Math.max(1, quorum) && missing.length === 0, people: held.size, missing_roles: missing };
};
