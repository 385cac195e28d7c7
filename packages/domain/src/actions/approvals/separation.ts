import type { Separation } from '@svc/contract/tables/vocabulary.ts';
import { mayApprove } from './approver-role.ts';
import { countApprovers, type QuorumApprover, type QuorumTerms } from './quorum.ts';

/** The reason why a person does not vote: they are behind the request itself, or behind the requesting agent. */
export type ExclusionReason = 'REQUEST' | 'AGENT';
export type Excluded = ReadonlyMap<string, ExclusionReason>;

/** The connection of a person to a request. See `svc_approval_links`. */
export type ApprovalLink = {
  readonly user_id: string;
  readonly link: 'REQUEST' | 'TAKEOVER' | 'AGENT';
  /** For TAKEOVER: no one else in the organization may approve anything. */
  readonly alone: boolean;
};

/** A person who may be able to approve. */
export type PossibleApprover = QuorumApprover & {
  /** The person they reassigned their vote to, with the role held now; null if they did not. */
  readonly handed_to: Pick<QuorumApprover, 'user_id' | 'role'> | null;
};

export const NO_EXCLUSIONS: Excluded = new Map();

/** Returns people who are excluded regardless of the other voters. */
export const excludedAlways = (links: readonly ApprovalLink[], strict: boolean): Excluded => {
  const excluded = new Map<string, ExclusionReason>();
  for (const { user_id, link, alone } of links) {
    if (link === 'REQUEST' || (link === 'TAKEOVER' && (strict || !alone))) excluded.set(user_id, 'REQUEST');
  }
  if (!strict) return excluded;
  for (const { user_id, link } of links) if (link === 'AGENT' && !excluded.has(user_id)) excluded.set(user_id, 'AGENT');
  return excluded;
};

/** Returns the same, and everyone who registered, keyed or authorized the agent. */
export const excludedWherePossible = (links: readonly ApprovalLink[]): Excluded => excludedAlways(links, true);

/** True while a reassigned vote stays with its target: the target may vote now. */
export const standsHandedTo = (target: PossibleApprover['handed_to'], excluded: Excluded): boolean =>
  target !== null && target.role !== null && mayApprove(target.role) && !excluded.has(target.user_id);

/** Returns the terms after escalation, which happens before the approval expires. */
const afterEscalation = (terms: QuorumTerms): QuorumTerms => ({
  ...terms,
  approver_groups: terms.approver_groups?.map((group) => ({ ...group, escalated: true })) ?? null,
});

/** Returns approvers without the excluded ones. Their votes do not count, and not those of a person who votes on their behalf. */
export const removeExcluded = <One extends QuorumApprover>(approvers: readonly One[], excluded: Pick<Excluded, 'has'>): One[] =>
  approvers.flatMap((one) =>
    excluded.has(one.user_id) ? [] : [{ ...one, stands_for: (one.stands_for ?? []).filter(({ user_id }) => !excluded.has(user_id)) }],
  );

/** Returns true if enough people may vote to grant an approval, now or after it is escalated. */
export const canBeGranted = (terms: QuorumTerms, people: readonly PossibleApprover[], excluded: Excluded): boolean => {
  const voting = removeExcluded(people, excluded).filter(({ handed_to }) => !standsHandedTo(handed_to, excluded));
  return countApprovers(afterEscalation(terms), voting).granted;
};

/** Returns the rule that the votes satisfy: the strict one if they are enough without anyone behind the agent. */
export const resolveSeparation = (terms: QuorumTerms, approvers: readonly QuorumApprover[], linked: Excluded): Separation =>
  countApprovers(terms, removeExcluded(approvers, linked)).granted ? 'STRICT' : 'WHEN_POSSIBLE';
