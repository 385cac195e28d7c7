import type { ApproverGroup } from '@svc/contract/actions/approval-shapes.ts';
import { isOwner, type Role } from '../../people/roles/role.ts';
import { countsAs, mayApprove } from './approver-role.ts';

/** A person and the role they hold now; null when they have left, or no longer see what they voted on. */
type Holder = { readonly user_id: string; readonly role: Role | null };

/** A person who approved, and those in whose stead. */
export type Approver = Holder & { readonly stands_for?: readonly Holder[] };

export type QuorumTerms = {
  /** Of all roles together. */
  readonly quorum: number;
  readonly approver_roles: readonly string[];
  /** How many of each role, in their order. Not stated: the quorum where there is one role, and otherwise one of each. */
  readonly role_quorums?: readonly number[] | null;
  /** Who is asked beside the people of each role, in their order; null where nobody is. */
  readonly approver_groups?: readonly ApproverGroup[] | null;
};

/** Those of whom so many have to approve: the people of a role, those who are named, and after a time those of another role. */
export type AskedGroup = {
  /** As the rule says. */
  readonly role: string;
  readonly quorum: number;
  /** Whose people may decide now. */
  readonly roles: readonly string[];
  readonly people: readonly string[];
};

const NOBODY: readonly string[] = [];

/** Who is asked, in the order of the roles. Of a role that the terms say no number for: the quorum where it is the only one, and otherwise one. */
export const groupsOf = ({ quorum, approver_roles, role_quorums, approver_groups }: QuorumTerms): AskedGroup[] =>
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

/** Whether somebody counts for a group, by themselves or for whom they stand. Who may not approve counts for nobody. */
const countsFor = (group: AskedGroup, approver: Approver): boolean =>
  approver.role !== null &&
  mayApprove(approver.role) &&
  (isIn(group, approver) || (approver.stands_for ?? []).some((person) => isIn(group, person)));

/** Whether somebody is among those who are asked at all, whatever their role lets them do. */
export const isAsked = (terms: QuorumTerms, person: Approver): boolean => {
  const { role } = person;
  if (role === null) return false;
  return (
    isOwner(role) ||
    groupsOf(terms).some(({ roles, people }) => people.includes(person.user_id) || roles.some((asked) => countsAs(role, asked))) ||
    (person.stands_for ?? []).some((other) => isAsked(terms, { user_id: other.user_id, role: other.role }))
  );
};

export type Count = {
  readonly granted: boolean;
  /** Different people whose vote counts. */
  readonly people: readonly string[];
  /** Roles asked for that not enough of them hold. */
  readonly missing_roles: readonly string[];
};

/** Granted by enough different people, each of whom is asked, and enough of every group. Who lost the role counts no more. */
export const countApprovers = (terms: QuorumTerms, approvers: readonly Approver[]): Count => {
  const groups = groupsOf(terms);
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
