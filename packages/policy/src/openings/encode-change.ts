import type { PolicyRule } from '@svc/contract/policies/language.ts';
import type { Effect } from '@svc/contract/tables/vocabulary.ts';
import { encodeAll, encodeAny, type Literal, opposite } from '@svc/solver/clauses/clauses.ts';
import { newSolver } from '@svc/solver/clauses/satisfy.ts';
import type { Fuel } from '@svc/solver/fuel.ts';
import type { PolicySource } from '../judge/compile-version.ts';
import { type RuleDemand, readDemand } from '../judge/obligations.ts';
import { permits } from '../language/effects.ts';
import { encodeRules } from '../prove/encode-rules.ts';
import type { Comparison } from './comparisons.ts';
import { isApprovalAsStrict, isCountedTogether, isLimitAsStrict, isPathCovered, maskPaths } from './demands.ts';

/** A rule in force before or after a change, with the literal that is true if it matches. */
export type EncodedRule = {
  readonly source: PolicySource;
  readonly rule: PolicyRule;
  readonly position: number;
  readonly demand: RuleDemand | null;
  readonly match: Literal;
};

/** A change of one scope in clauses, and the rules on both sides of it. */
export type EncodedChange = Pick<NonNullable<ReturnType<typeof encodeRules>>, 'encoded' | 'elements'> & {
  readonly solver: ReturnType<typeof newSolver>;
  readonly before: readonly EncodedRule[];
  readonly after: readonly EncodedRule[];
  readonly isPermittedBefore: Literal;
  readonly isPermittedAfter: Literal;
  /** True if some rule permits, even if another one blocks. */
  readonly isGrantedBefore: Literal;
  /** True if a rule demands something that no rule demands after the change; undefined if that never happens. */
  readonly isDropped: (rule: EncodedRule) => Literal | undefined;
};

type Unplaced = Omit<EncodedRule, 'match'> & { readonly key: string };

const unplacedRules = (sources: readonly PolicySource[]): Unplaced[] =>
  sources.flatMap((source) =>
    source.body.rules.map((rule, position): Unplaced => {
      const { policy_id, policy_name, version_id, version_number, binding, currency = '' } = source;
      const identity = {
        id: rule.id,
        policy_id,
        policy_name,
        version_id,
        version_number,
        binding,
        effect: rule.effect,
        reason: rule.reason,
      };
      const key = JSON.stringify([rule.effect, rule.when, rule.if_missing, currency]);
      return { source, rule, position, demand: readDemand(rule, identity, currency), key };
    }),
  );

/**
 * Returns the rules that demand at least as much as one part of a demand; the parts are separate, since different rules may demand each.
 */
const coversOf = ({ demand }: Pick<EncodedRule, 'demand'>): ((other: RuleDemand) => boolean)[] => {
  if (demand === null) return [];
  const { approval, limit, mask } = demand;
  return [
    ...(approval === undefined
      ? []
      : [(other: RuleDemand) => other.approval !== undefined && isApprovalAsStrict(other.approval, approval)]),
    ...(limit === undefined ? [] : [(other: RuleDemand) => other.limit !== undefined && isLimitAsStrict(other.limit, limit)]),
    ...(mask === undefined
      ? []
      : maskPaths(mask).map(
          ([part, path]) =>
            (other: RuleDemand) =>
              other.mask?.[part].some((covering) => isPathCovered(covering, path)) ?? false,
        )),
  ];
};

/** Returns true if a limit of a rule counts over a window, and the one in force instead has not counted what was used before the change. */
const startsAnew = ({ demand }: EncodedRule, instead: EncodedRule, before: readonly EncodedRule[]): boolean => {
  const [limit, other] = [demand?.limit, instead.demand?.limit];
  if (limit?.window_seconds === undefined || other === undefined || isCountedTogether(other, limit)) return false;
  return !before.some(
    ({ demand: old, match }) => match === instead.match && old?.limit !== undefined && isCountedTogether(other, old.limit),
  );
};

/** Encodes a change of one scope in clauses; null if there are more values than the `fuel` budget allows. */
export const encodeChange = (comparison: Comparison, fuel: Fuel): EncodedChange | null => {
  const sides = [unplacedRules(comparison.before), unplacedRules(comparison.after)] as const;
  const distinct = new Map(sides.flat().map((one) => [one.key, one]));
  const written = [...distinct.values()].map(({ rule, source }) => ({ rule, currency: source.currency ?? '' }));
  const encodedRules = encodeRules(written, comparison, fuel);
  if (encodedRules === null) return null;
  const { clauses, encoded, elements, matches } = encodedRules;
  const numbers = new Map([...distinct.keys()].map((key, index) => [key, matches[index] ?? clauses.truth]));
  const placed = (rules: readonly Unplaced[]): EncodedRule[] =>
    rules.map(({ key, ...rule }) => ({ ...rule, match: numbers.get(key) ?? clauses.truth }));
  const [before, after] = [placed(sides[0]), placed(sides[1])];
  const anyMatch = (rules: readonly EncodedRule[], holds: (effect: Effect) => boolean): Literal =>
    encodeAny(
      clauses,
      rules.flatMap(({ rule, match }) => (holds(rule.effect) ? [match] : [])),
    );
  const isPermitted = (rules: readonly EncodedRule[]): Literal =>
    encodeAll(clauses, [anyMatch(rules, permits), opposite(anyMatch(rules, (effect) => effect === 'BLOCK'))]);
  const dropped = new Map(
    before.map((rule) => {
      const parts = coversOf(rule).flatMap((covers) => {
        const covering = after
          .filter((instead) => instead.demand !== null && covers(instead.demand) && !startsAnew(rule, instead, before))
          .map(({ match }) => match);
        return covering.includes(rule.match) ? [] : [opposite(encodeAny(clauses, covering))];
      });
      return [rule, parts.length === 0 ? undefined : encodeAny(clauses, parts)] as const;
    }),
  );
  const isPermittedBefore = isPermitted(before);
  const isPermittedAfter = isPermitted(after);
  const isGrantedBefore = anyMatch(before, permits);
  const solver = newSolver(clauses.variables());
  for (const clause of clauses.list) {
    fuel.left -= clause.length;
    solver.add(clause);
  }
  return {
    encoded,
    elements,
    solver,
    before,
    after,
    isPermittedBefore,
    isPermittedAfter,
    isGrantedBefore,
    isDropped: (rule) => dropped.get(rule),
  };
};
