import type { QuorumTerms } from '@svc/domain/actions/approvals/quorum.ts';
import {
  type ApprovalLink,
  canBeGranted,
  type Excluded,
  type ExclusionReason,
  excludedAlways,
  excludedWherePossible,
  NO_EXCLUSIONS,
  type PossibleApprover,
} from '@svc/domain/actions/approvals/separation.ts';
import { noApproverRemedy } from '@svc/domain/actions/approvals/uncounted-votes.ts';
import type { Role } from '@svc/domain/people/roles/role.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** More than any rule requires of one role; people who are named are read in addition. */
const PER_ROLE = 100;

type LinkRow = ApprovalLink & { readonly approval_id: string; readonly strict: boolean };
type Links = { readonly links: readonly LinkRow[]; readonly strict: boolean };

/** Reads who is behind each approval, over the whole organization, regardless of the transaction's scope. */
const readLinks = async (tx: TenantTransaction, ids: readonly string[]): Promise<ReadonlyMap<string, Links>> => {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<LinkRow>`select * from svc_approval_links(${[...ids]}::text[])`.execute(tx);
  const byId = new Map<string, LinkRow[]>();
  for (const row of rows) byId.set(row.approval_id, [...(byId.get(row.approval_id) ?? []), row]);
  return new Map([...byId].map(([id, links]) => [id, { links, strict: links[0]?.strict ?? true }]));
};

type Possible = { readonly terms: QuorumTerms; readonly people: readonly PossibleApprover[] };
type PossibleRow = {
  readonly terms: QuorumTerms;
  readonly roles: readonly Role[];
  readonly people: readonly (Omit<PossibleApprover, 'role'> & { readonly role_id: string })[];
};

/** Reads the members who may approve in the workspace of an approval, and its requirements. */
const readPossible = async (tx: TenantTransaction, id: string): Promise<Possible> => {
  const { rows } = await sql<{ possible: PossibleRow }>`select svc_could_approve(${id}, ${PER_ROLE}) as possible`.execute(tx);
  const [row] = rows;
  if (row === undefined || row.possible.terms === null) throw new Error('the approval of a vote is not there');
  const { terms, roles, people } = row.possible;
  const byId = new Map(roles.map((role) => [role.id, role]));
  return { terms, people: people.map(({ role_id, ...person }) => ({ ...person, role: byId.get(role_id) ?? null })) };
};

/** People who do not approve one request. */
export type Exclusions = {
  readonly excluded: Excluded;
  /** The same with everyone behind the agent, excluded or not. */
  readonly linked: Excluded;
};

export const NO_ONE_EXCLUDED: Exclusions = { excluded: NO_EXCLUSIONS, linked: NO_EXCLUSIONS };

/** Excludes people behind the agent if the others can grant the approval, and always if the rule is strict. */
const settle = async ({ links, strict }: Links, readOnce: () => Promise<Possible>): Promise<Exclusions> => {
  const excluded = excludedAlways(links, strict);
  const linked = excludedWherePossible(links);
  if (linked.size === excluded.size) return { excluded, linked };
  const { terms, people } = await readOnce();
  return { excluded: canBeGranted(terms, people, linked) ? linked : excluded, linked };
};

/** Returns the people who do not approve each of these. */
export const findExclusionsOfEach = async (tx: TenantTransaction, ids: readonly string[]): Promise<ReadonlyMap<string, Exclusions>> => {
  const links = await readLinks(tx, ids);
  const settled = new Map<string, Exclusions>();
  for (const [id, found] of links) settled.set(id, await settle(found, () => readPossible(tx, id)));
  return settled;
};

/** Returns the people who do not approve one request. */
export const findExclusions = async (tx: TenantTransaction, id: string): Promise<Exclusions> =>
  (await findExclusionsOfEach(tx, [id])).get(id) ?? NO_ONE_EXCLUDED;

/** A judgement of who may decide on an approval. */
export type Approvers = Exclusions & {
  /** True if the possible voters are enough. */
  readonly approvable: boolean;
  /** True if they would be enough if the environment let people behind the agent vote. */
  readonly blockedBySeparation: boolean;
};

/** Returns the remedy if the possible voters are not enough; null if they are. */
export const chooseRemedy = ({ approvable, blockedBySeparation }: Approvers): string | null =>
  approvable ? null : noApproverRemedy(blockedBySeparation);

export const judgeApprovers = async (tx: TenantTransaction, id: string): Promise<Approvers> => {
  const found = (await readLinks(tx, [id])).get(id);
  const possible = await readPossible(tx, id);
  const { terms, people } = possible;
  const exclusions = found ? await settle(found, async () => possible) : NO_ONE_EXCLUDED;
  const approvable = canBeGranted(terms, people, exclusions.excluded);
  const isStrict = found?.strict === true;
  return {
    ...exclusions,
    approvable,
    blockedBySeparation: !approvable && isStrict && canBeGranted(terms, people, excludedAlways(found.links, false)),
  };
};

/** A member who may approve in the workspace of an approval, with the reason why they are excluded. */
export type JudgedApprover = PossibleApprover & { readonly excludedBecause: ExclusionReason | null };

/** Lists the members whose role lets them approve a request, and the people among them who are excluded. */
export const listPossibleApprovers = async (tx: TenantTransaction, id: string): Promise<readonly JudgedApprover[]> => {
  const { people } = await readPossible(tx, id);
  const { excluded } = await findExclusions(tx, id);
  return people.map((person) => ({ ...person, excludedBecause: excluded.get(person.user_id) ?? null }));
};

/** Returns the remedy for an approval that no one who may vote can approve; null if someone can. */
export const findRemedy = async (tx: TenantTransaction, id: string): Promise<string | null> => chooseRemedy(await judgeApprovers(tx, id));
