import type { PolicyDecision } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import { type Literal, opposite } from '@svc/solver/clauses/clauses.ts';
import type { SolverResult } from '@svc/solver/clauses/satisfy.ts';
import type { Fuel } from '@svc/solver/fuel.ts';
import { permits } from '../language/effects.ts';
import { shortenRequest } from '../prove/ask-engine.ts';
import { listFixedFields, ruleOut } from '../prove/prove-place.ts';
import { buildRequests, type FoundRequest } from '../prove/request-from.ts';
import type { Comparison, Comparisons } from './comparisons.ts';
import { type EncodedChange, type EncodedRule, encodeChange } from './encode-change.ts';
import { type BothDecisions, openChangeJudge } from './judge-change.ts';

/** A change of the policies in force, as far as it concerns one policy. */
export type PolicyChange = Comparisons & {
  readonly policy_id: string;
  /** True if a version of the policy was in force before; if none was, its new permissions are its purpose. */
  readonly isReplaced: boolean;
};

/** The warnings of a change. `undecided` describes what could not be decided; null if everything was. */
export type ChangeFindings = { readonly warnings: readonly PolicyWarning[]; readonly undecided: string | null };

/** Step budget for all scopes of one change, about a second. */
const STEPS_MAX = 15_000_000;
const ATTEMPTS_MAX = 40;
/** The number of steps that one decision of the engine counts as. */
const ATTEMPT_PRICE = 2_000;
const NAMED_MAX = 5;

type Kind = Extract<PolicyWarning['kind'], 'newly_permits' | 'permits_nothing'>;

/** One way in which a change may permit more: a request that fulfils `assumed`, and that the engine decides as `isOpening` requires. */
type Task = {
  readonly kind: Kind;
  readonly rule: EncodedRule;
  readonly pointer: string;
  readonly message: string;
  readonly assumed: readonly Literal[];
  readonly isOpening: (decisions: BothDecisions) => boolean;
};

const isMatched = (decision: PolicyDecision, { source, rule }: EncodedRule): boolean =>
  decision.matched_rules.some(
    ({ id, policy_id, version_id, outcome }) =>
      outcome === 'matched' && id === rule.id && policy_id === source.policy_id && version_id === source.version_id,
  );

const newlyPermitted = ({ before, after }: BothDecisions): boolean => before.effect === 'BLOCK' && after.effect !== 'BLOCK';

const DROPPED = {
  approval: 'asks for an approval that requests no longer need',
  limit: 'sets a limit that no longer applies to requests, or that restarts its count',
  mask: 'masks values that are no longer masked',
} as const;

const describeDropped = ({ demand }: EncodedRule): string => {
  if (demand?.approval !== undefined) return DROPPED.approval;
  return demand?.limit !== undefined ? DROPPED.limit : DROPPED.mask;
};

/** Returns the position of a removed or changed rule: the rule of that id, or all of them. */
const pointerTo = (rule: EncodedRule, after: readonly EncodedRule[]): string => {
  const kept = after.find(({ source, rule: { id } }) => source.policy_id === rule.source.policy_id && id === rule.rule.id);
  return kept === undefined ? '/rules' : `/rules/${kept.position}`;
};

const addedPermits = ({ before, after, isPermittedAfter, isGrantedBefore }: EncodedChange): Task[] => {
  const known = new Set(before.filter(({ rule }) => permits(rule.effect)).map(({ match }) => match));
  return after
    .filter(({ rule, match }) => permits(rule.effect) && !known.has(match))
    .map((rule) => ({
      kind: 'newly_permits',
      rule,
      pointer: `/rules/${rule.position}`,
      message: 'This rule permits requests that nothing permits with the active version.',
      assumed: [rule.match, isPermittedAfter, opposite(isGrantedBefore)],
      isOpening: (decisions) => newlyPermitted(decisions) && isMatched(decisions.after, rule),
    }));
};

const removedBlocks = ({ before, after, isPermittedAfter }: EncodedChange): Task[] => {
  const kept = new Set(after.filter(({ rule }) => rule.effect === 'BLOCK').map(({ match }) => match));
  return before
    .filter(({ rule, match }) => rule.effect === 'BLOCK' && !kept.has(match))
    .map((rule) => ({
      kind: 'newly_permits',
      rule,
      pointer: pointerTo(rule, after),
      message: `Rule "${rule.rule.id}" of the active version blocks requests that are permitted without it.`,
      assumed: [rule.match, isPermittedAfter],
      isOpening: (decisions) => newlyPermitted(decisions) && isMatched(decisions.before, rule),
    }));
};

const removedDemands = ({ before, after, isPermittedBefore, isPermittedAfter, isDropped }: EncodedChange): Task[] =>
  before.flatMap((rule): Task[] => {
    const dropped = isDropped(rule);
    if (dropped === undefined) return [];
    return [
      {
        kind: 'newly_permits',
        rule,
        pointer: pointerTo(rule, after),
        message: `Rule "${rule.rule.id}" of the active version ${describeDropped(rule)}.`,
        assumed: [rule.match, dropped, isPermittedBefore, isPermittedAfter],
        isOpening: (decisions) =>
          decisions.before.effect !== 'BLOCK' && decisions.after.effect !== 'BLOCK' && isMatched(decisions.before, rule),
      },
    ];
  });

/** Finds obligations of the policy that match requests which no rule permits or blocks. */
const idleObligations = ({ after, encoded }: EncodedChange, policyId: string): Task[] => {
  // A text that is too long to search triggers obligations on requests that they do not mean.
  const areSearched = encoded.flatMap(({ tooLong }) => (tooLong === null ? [] : [opposite(tooLong)]));
  const others = after.filter(({ rule }) => rule.effect !== 'MASK' && rule.effect !== 'LIMIT');
  return after
    .filter(({ source, rule }) => source.policy_id === policyId && (rule.effect === 'MASK' || rule.effect === 'LIMIT'))
    .map((rule) => ({
      kind: 'permits_nothing',
      rule,
      pointer: `/rules/${rule.position}`,
      message: `This rule matches requests that nothing permits. A ${rule.rule.effect} rule permits nothing on its own, so they are refused.`,
      assumed: [rule.match, ...others.map(({ match }) => opposite(match)), ...areSearched],
      isOpening: ({ after: decision }) =>
        isMatched(decision, rule) && decision.matched_rule === null && !others.some((other) => isMatched(decision, other)),
    }));
};

type Scene = {
  readonly comparison: Comparison;
  readonly change: EncodedChange;
  readonly judge: (request: FoundRequest) => BothDecisions | null;
  readonly fuel: Fuel;
};

/** Shows the amount in the currency of the rule that the warning is about. */
const asGiven = ({ given, amounts }: FoundRequest, { source }: EncodedRule): FoundRequest['given'] => {
  const amount = amounts === null || source.currency === undefined ? undefined : amounts[source.currency];
  return amount === undefined ? given : { ...given, amount };
};

/** Returns the smallest request found that fulfils a task, as the engine decides it; null if none was found. */
const findRequest = ({ comparison, change, judge, fuel }: Scene, task: Task, first: SolverResult): FoundRequest | null => {
  const decide = (request: FoundRequest): PolicyDecision | null => {
    fuel.left -= ATTEMPT_PRICE;
    const decisions = judge(request);
    return decisions !== null && task.isOpening(decisions) ? decisions.after : null;
  };
  let answer = first;
  for (let attempt = 0; attempt < ATTEMPTS_MAX && typeof answer === 'object'; attempt++) {
    for (const found of buildRequests(change.encoded, answer.holds, change.elements)) {
      const request = { ...found, given: { ...listFixedFields(comparison), ...found.given } };
      if (decide(request) !== null) return shortenRequest(request, decide);
    }
    ruleOut(change, answer.holds);
    answer = change.solver.solve(fuel, task.assumed);
  }
  return null;
};

/** The same among requests without long texts, which are easier to read. */
const findShort = (scene: Scene, task: Task): FoundRequest | null => {
  const { encoded, solver } = scene.change;
  const areShort = encoded.flatMap(({ tooLong }) => (tooLong === null ? [] : [opposite(tooLong)]));
  if (areShort.length === 0) return null;
  const assumed = [...task.assumed, ...areShort];
  return findRequest(scene, { ...task, assumed }, solver.solve(scene.fuel, assumed));
};

type Settled = Map<string, PolicyWarning | 'undecided'>;

/** One warning per rule, however many scopes it is found in. */
const keyOf = ({ kind, rule }: Task): string => `${kind} ${rule.source.policy_id} ${rule.source.version_id} ${rule.position}`;

const settle = (scene: Scene, tasks: readonly Task[], settled: Settled, suffix: string): void => {
  const open = tasks.filter((task) => typeof settled.get(keyOf(task)) !== 'object');
  // Nothing is excluded before every task was solved, so that `none` is a proof.
  const answers = open.map((task) => [task, scene.change.solver.solve(scene.fuel, task.assumed)] as const);
  for (const [task, answer] of answers) {
    if (answer === 'none') continue;
    const request = answer === 'unknown' ? null : (findShort(scene, task) ?? findRequest(scene, task, answer));
    const { kind, rule, pointer, message } = task;
    settled.set(
      keyOf(task),
      request === null
        ? 'undecided'
        : { kind, rule_id: rule.rule.id, pointer, message: `${message}${suffix}`, example: { ...asGiven(request, rule) } },
    );
  }
};

const describeUndecided = (settled: Settled, names: ReadonlyMap<string, string>, isOver: boolean, more: boolean): string | null => {
  const open = [...settled].flatMap(([key, found]) => (found === 'undecided' ? [`"${names.get(key)}"`] : []));
  const shown = `${open.slice(0, NAMED_MAX).join(', ')}${open.length > NAMED_MAX ? ` and ${open.length - NAMED_MAX} more` : ''}`;
  const notes = [
    ...(open.length === 0 ? [] : [`The exact effect of the change could not be determined for these rules: ${shown}.`]),
    ...(isOver ? ['Comparing the policies before and after the change would take too long; the change may permit more than listed.'] : []),
    ...(more ? ['The policy applies in too many environments and agents to compare all of them.'] : []),
  ];
  return notes.length === 0 ? null : notes.join(' ');
};

/**
 * Compares the policies before and after a change: warns of requests that are refused before and permitted after, of approvals, limits and
 * masks that no longer apply, and, for a saved version, of obligations that match what nothing permits. Each warning contains a request
 * that the engine decided; cases that are not found and not excluded are `undecided`.
 */
export const findOpenings = ({ places, more, policy_id, isReplaced }: PolicyChange, steps = STEPS_MAX): ChangeFindings => {
  const fuel: Fuel = { left: steps };
  const settled: Settled = new Map();
  const names = new Map<string, string>();
  for (const comparison of places) {
    const change = fuel.left < 0 ? null : encodeChange(comparison, fuel);
    if (change === null) break;
    const tasks = [
      ...idleObligations(change, policy_id),
      ...(isReplaced ? [...addedPermits(change), ...removedBlocks(change), ...removedDemands(change)] : []),
    ];
    for (const task of tasks) names.set(keyOf(task), task.rule.rule.id);
    const suffix = places.length === 1 ? '' : ` This applies in ${comparison.name}.`;
    settle({ comparison, change, judge: openChangeJudge(comparison), fuel }, tasks, settled, suffix);
  }
  return {
    warnings: [...settled.values()].filter((found) => found !== 'undecided'),
    undecided: describeUndecided(settled, names, fuel.left < 0, more),
  };
};
