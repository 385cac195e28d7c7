import type { FieldCondition, PolicyCondition, PolicyRule, VersionBody } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import { compileWhen } from '../../conditions/compile-condition.ts';
import { newRun } from '../../evaluation/node.ts';
import { TRUE } from '../../evaluation/outcome.ts';
import type { PolicyContext } from '../../evaluation/policy-context.ts';
import { listFieldCandidates } from '../../formula/field-candidates.ts';
import { findField } from '../../language/find-field.ts';
import { isCatchAll } from '../../language/is-catch-all.ts';
import type { PathSegment } from '../../values/path.ts';

/** Conditions of one rule that are analysed in pairs. */
const CONDITIONS_MAX = 12;
/** Values tried for each. */
const VALUES_MAX = 16;

type OnList = {
  readonly condition: FieldCondition;
  readonly list: string;
  readonly steps: readonly PathSegment[];
  readonly rest: readonly PathSegment[];
};

/** Returns conditions for which one element is enough, on a member of the elements of a list. */
const onList = (condition: FieldCondition): OnList[] => {
  const field = findField(condition.field);
  if ('fault' in field || !field.wildcard || condition.quantifier === 'all') return [];
  const star = field.segments.findIndex(({ each }) => each);
  const rest = field.segments.slice(star + 1);
  if (rest.length === 0 || rest.some(({ each }) => each)) return [];
  const list = condition.field
    .split('.')
    .slice(0, star + 2)
    .join('.');
  return [{ condition, list, steps: field.segments.slice(0, star), rest }];
};

/** Returns the conditions that all have to hold at once, those of nested `all` groups included. */
const together = (when: PolicyCondition): FieldCondition[] => {
  if ('all' in when) return when.all.flatMap(together);
  return 'field' in when ? [when] : [];
};

type Draft = Record<string, unknown>;
const nest = (steps: readonly PathSegment[], value: unknown): unknown =>
  steps.reduceRight<unknown>((inner, { key }) => ({ [key]: inner }), value);

const getElement = (members: readonly (readonly [OnList, unknown])[]): Draft => {
  const element: Draft = {};
  for (const [{ rest }, value] of members) Object.assign(element, nest(rest, value) as Draft);
  return element;
};

const holds = (when: PolicyCondition, parameters: unknown): boolean =>
  compileWhen(when)({ parameters } as PolicyContext, newRun(Number.POSITIVE_INFINITY)) === TRUE;

/** Returns a value for which the condition holds, and one for which it does not. */
const getValues = ({ condition, list, steps, rest }: OnList): readonly [unknown, unknown] | null => {
  const field = findField(condition.field);
  const found = 'fault' in field ? null : listFieldCandidates(field.row, [condition]);
  if (found === null) return null;
  const values = [...found.plain, ...found.open].slice(0, VALUES_MAX);
  const isMet = (value: unknown): boolean => holds(condition, nest(steps, [getElement([[{ condition, list, steps, rest }, value]])]));
  const met = values.find(isMet);
  const unmet = values.find((value) => value !== undefined && !isMet(value));
  return met === undefined || unmet === undefined ? null : [met, unmet];
};

/** Returns a list that matches both conditions though none of its elements does, if one element could. */
const getExample = (one: OnList, other: OnList): Draft | null => {
  const [first, second] = [getValues(one), getValues(other)];
  if (first === null || second === null) return null;
  const of = (a: unknown, b: unknown): Draft =>
    getElement([
      [one, a],
      [other, b],
    ]);
  const parameters = nest(one.steps, [of(first[0], second[1]), of(first[1], second[0])]);
  const both: PolicyCondition = { all: [one.condition, other.condition] };
  const meets: PolicyCondition = { any_element: { of: one.list, meets: both } };
  const isMeant = holds(meets, nest(one.steps, [of(first[0], second[0])]));
  return isMeant && holds(both, parameters) && !holds(meets, parameters) ? (parameters as Draft) : null;
};

const ofRule = (rule: PolicyRule, position: number): PolicyWarning[] => {
  if (isCatchAll(rule.when)) return [];
  const conditions = together(rule.when as PolicyCondition)
    .flatMap(onList)
    .slice(0, CONDITIONS_MAX);
  for (const [place, one] of conditions.entries()) {
    for (const other of conditions.slice(place + 1)) {
      const parameters = one.list === other.list && one.condition.field !== other.condition.field ? getExample(one, other) : null;
      if (parameters === null) continue;
      const { list } = one;
      const message = `Different elements of ${list} can meet the conditions on ${one.condition.field} and ${other.condition.field}. If one element must meet both, use {"any_element": {"of": "${list}", "meets": ...}}.`;
      return [{ kind: 'other_element', rule_id: rule.id, pointer: `/rules/${position}/when`, message, example: { parameters } }];
    }
  }
  return [];
};

/** Warns of rules with two conditions on a list, which different elements may match, each with an example that the engine has checked. */
export const otherElement = ({ rules }: VersionBody): PolicyWarning[] => rules.flatMap(ofRule);
