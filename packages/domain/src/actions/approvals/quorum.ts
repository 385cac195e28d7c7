import type { ApproverGroup } from '@svc/contract/actions/approval-shapes.ts';
import { isOwner, type Role } from '../../people/roles/role.ts';
import { countsAs, mayApprove } from './approver-role.ts';

/** A person and the role they hold now; null when they have left, or no longer see what they voted on. */
type Holder = { readonly user_id: string; readonly role: Role | null };

/** A person who approved, and those in whose stead. */
export type Approver = Holder & { readonly stands_for?: readonly Holder[] };

export type QuorumTerms = {
  /** The quorum of all roles together. */
  readonly quorum: number;
  readonly approver_roles: readonly string[];
  /** The quorum of each role, in order. Default: the quorum if there is one role, and otherwise one of each. */
  readonly role_quorums?: readonly number[] | null;
  /** Named approvers in addition to the people of each role, in order; null if there are none. */
  readonly approver_groups?: readonly ApproverGroup[] | null;
};

/** A group of which a number must approve: the people of a role, named people, and after escalation those of another role. */
export type AskedGroup = {
  /** The role in the rule. */
  readonly role: string;
  readonly quorum: number;
  /** Roles whose people may decide now. */
  readonly roles: readonly string[];
  readonly people: readonly string[];
};

const NOBODY: readonly string[] = [];

/** Returns the groups, in the order of the roles. The default number is the quorum for a single role, and otherwise one. */
export const listApproverGroups = ({ quorum, approver_roles, role_quorums, approver_groups }: QuorumTerms): AskedGroup[] =>
  approver_roles.map((role, place) => {
    const besides = approver_groups?.[place];
    return {
      role,
      quorum: Math.max(1, role_quorums?.[place] ?? (approver_roles.length === 1 ? quorum : 1)),
      roles: besides?.escalated === true && besides.escalates_to !== null ? [role, besides.escalates_to] : [role],
      people: besides?.people ?? NOBODY,
    };
  });

const isIn = ({ roles, people }: AskedGroup, { user_id, role }: Holder): boolean =>
  role !== null && mayApprove(role) && (people.includes(user_id) || roles.some((asked) => countsAs(role, asked)));

/** Returns true if an approver counts for a group, personally or on behalf of others. Excluded people count for no one. */
const countsFor = (group: AskedGroup, approver: Approver): boolean =>
  approver.role !== null &&
  mayApprove(approver.role) &&
  (isIn(group, approver) || (approver.stands_for ?? []).some((person) => isIn(group, person)));

/** Returns true if a person is among the approvers, regardless of the permissions of their role. */
export const isRequestedApprover = (terms: QuorumTerms, person: Approver): boolean => {
  const { role } = person;
  if (role === null) return false;
  return (
    isOwner(role) ||
    listApproverGroups(terms).some(
      ({ roles, people }) => people.includes(person.user_id) || roles.some((asked) => countsAs(role, asked)),
    ) ||
    (person.stands_for ?? []).some((other) => isRequestedApprover(terms, { user_id: other.user_id, role: other.role }))
  );
};

export type Count = {
  readonly granted: boolean;
  /** Different people whose vote counts. */
  readonly people: readonly string[];
  /** Requested roles without enough approvers. */
  readonly missing_roles: readonly string[];
};

/** An approval is granted by enough different requested people, and enough of every group. People who lost the role no longer count. */
export const countApprovers = (terms: QuorumTerms, approvers: readonly Approver[]): Count => {
  const groups = listApproverGroups(terms);
  const counted = new Map<string, Approver>();
  for (const approver of approvers) if (groups.some((group) => countsFor(group, approver))) counted.set(approver.user_id, approver);
  const those = [...counted.values()];
  const missing = groups.filter((group) => those.filter((approver) => countsFor(group, approver)).length < group.quorum);
  return {
    granted: counted.size >= Math.max(1, terms.quorum) && missing.length === 0,
    people: [...counted.keys()],
    missing_roles: missing.map(({ role }) => role),
  };
};
