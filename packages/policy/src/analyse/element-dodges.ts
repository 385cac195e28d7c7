import type { FieldCondition, PolicyCondition } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import type { Fuel } from '@svc/solver/fuel.ts';
import { compileWhen } from '../conditions/compile-condition.ts';
import { newRun } from '../evaluation/node.ts';
import { TRUE, type TruthValue, UNKNOWN } from '../evaluation/outcome.ts';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import { listFieldCandidates } from '../formula/field-candidates.ts';
import type { AnalysedRule } from '../formula/formula.ts';
import { fieldConditions } from '../language/field-conditions.ts';
import { findField, type PolicyField } from '../language/find-field.ts';
import { isCatchAll } from '../language/is-catch-all.ts';
import { isJsonObject } from '../values/check-members.ts';
import { below } from '../values/faults.ts';
import { isAnyDepth, type PathSegment } from '../values/path.ts';
import type { AnalysedTool } from './analysed-tool.ts';
import { buildBypassRequest, describe, type Instead, NOTHING, TYPES } from './bypasses.ts';
import { surelyAdmits } from './declared/admits.ts';
import { type JsonType, readTypes } from './declared/declared-parameters.ts';
import { getJsonType } from './declared/json-type.ts';
import { presenceInLists } from './declared/presence-in-lists.ts';
import { sampleValues } from './declared/sample-values.ts';

/** Bounds on the fields of one part of a rule that are analysed together, and on values tried for each. */
const FIELDS_MAX = 4;
const VALUES_MAX = 4;

type Asked = { readonly field: PolicyField; readonly conditions: FieldCondition[]; readonly pointer: string; readonly inGroup: boolean };
/** A part that has to hold for the rule to match; it reads parameters only, some of them in elements. */
type Part = { readonly judge: (parameters: unknown) => TruthValue; readonly asked: readonly Asked[] };

const isRead = ({ row, segments }: PolicyField): boolean =>
  row.family === 'path' && segments.every((segment) => segment.index < 0 && !isAnyDepth(segment));

const askedIn = (part: PolicyCondition, pointer: string): readonly Asked[] | null => {
  const asked = new Map<string, Asked>();
  for (const { condition, pointer: place, within } of fieldConditions(part)) {
    const field = findField(condition.field);
    if ('fault' in field || !isRead(field)) return null;
    const known = asked.get(field.name);
    if (known === undefined)
      asked.set(field.name, { field, conditions: [condition], pointer: `${pointer}${place}`, inGroup: within !== undefined });
    else known.conditions.push(condition);
  }
  const all = [...asked.values()];
  return all.length <= FIELDS_MAX && all.some(({ field }) => field.wildcard) ? all : null;
};

const listParts = (condition: PolicyCondition, pointer: string): Part[] => {
  if ('all' in condition) return condition.all.flatMap((part, index) => listParts(part, below(below(pointer, 'all'), index)));
  const asked = askedIn(condition, pointer);
  if (asked === null) return [];
  const compiled = compileWhen(condition);
  return [{ judge: (parameters) => compiled({ parameters } as PolicyContext, newRun(Number.POSITIVE_INFINITY)), asked }];
};

/** Puts a value at a path, in lists of one element each. */
const put = (holder: unknown, [first, ...rest]: readonly PathSegment[], value: unknown): unknown => {
  if (first === undefined) return value;
  if (first.each) return [put(Array.isArray(holder) ? holder[0] : undefined, rest, value) ?? null];
  const members = isJsonObject(holder) ? holder : {};
  return { ...members, [first.key]: put(members[first.key], rest, value) };
};

/** Returns values of a field that its conditions distinguish. */
const listValues = ({ field, conditions }: Asked): readonly unknown[] => {
  const found = listFieldCandidates(field.row, conditions);
  const told = new Map<string, unknown>();
  const judges = conditions.map((condition) => compileWhen(condition));
  for (const value of found === null ? [] : [...found.plain, ...found.open]) {
    if (value === undefined || told.size >= VALUES_MAX) continue;
    const context = { parameters: put({}, field.segments, value) } as PolicyContext;
    const outcomes = judges.map((judge) => judge(context, newRun(Number.POSITIVE_INFINITY))).join();
    if (!told.has(outcomes)) told.set(outcomes, value);
  }
  return [...told.values()];
};

/** Returns parameters with lists of one element for which a part holds. */
const meeting = ({ judge, asked }: Part): unknown[] => {
  let made: unknown[] = [{}];
  for (const one of asked.toSorted((a, b) => a.field.segments.length - b.field.segments.length))
    made = made.flatMap((parameters) => listValues(one).map((value) => put(parameters, one.field.segments, value)));
  return made.filter((parameters) => judge(parameters) === TRUE);
};

const readAt = (value: unknown, [first, ...rest]: readonly PathSegment[]): unknown => {
  if (first === undefined) return value;
  if (first.each) return Array.isArray(value) ? readAt(value[0], rest) : undefined;
  return isJsonObject(value) ? readAt(value[first.key], rest) : undefined;
};

/** A position at which an agent may put another value: the value itself, and the list that contains it. */
type Target = { readonly name: string; readonly segments: readonly PathSegment[]; readonly pointer: string };

const listTargets = ({ field, pointer, inGroup }: Asked): readonly Target[] => {
  if (!field.wildcard) return [];
  const star = field.segments.findIndex(({ each }) => each);
  const name = field.name
    .split('.')
    .slice(0, star + 1)
    .join('.');
  const value = { name: field.name, segments: field.segments, pointer };
  return inGroup && star > 0 ? [value, { name, segments: field.segments.slice(0, star), pointer }] : [value];
};

type Dodge = { readonly instead: Instead; readonly before: JsonType | 'null'; readonly parameters: unknown };

/** Finds changes that make a part unknown, with any value that a tool admits. */
const dodgesAt = ({ judge }: Part, met: readonly unknown[], { segments }: Target): readonly Dodge[] =>
  [NOTHING, ...TYPES].flatMap((instead) =>
    met.flatMap((parameters): Dodge[] => {
      const value = readAt(parameters, segments);
      const before = getJsonType(value);
      // Members of an object are elements like those of a list.
      if (before === instead.type || (Array.isArray(value) && instead.type === 'object')) return [];
      const after = put(parameters, segments, instead.value);
      return judge(after) === UNKNOWN ? [{ instead, before, parameters: after }] : [];
    }),
  );

/** Returns the bypasses that a tool admits, each with a value that fits its schema. */
const admitted = ({ judge }: Part, found: readonly Dodge[], { segments }: Target, tool: AnalysedTool): readonly Dodge[] => {
  const { there, schema } = presenceInLists(tool.parameters_schema, segments) ?? {};
  const types = there === undefined ? null : readTypes(schema);
  if (types === null) return [];
  const samples = sampleValues(schema);
  return found.flatMap((one): Dodge[] => {
    const { instead, before, parameters } = one;
    if (!types.has(before)) return [];
    if (instead.type === null) return there === 'maybe' ? [one] : [];
    if (surelyAdmits(schema, instead.value)) return [one];
    const value = samples.find((each) => getJsonType(each) === instead.type);
    if (value === undefined) return [];
    const after = put(parameters, segments, value);
    return judge(after) === UNKNOWN ? [{ instead: { ...instead, value }, before, parameters: after }] : [];
  });
};

type Told = { readonly target: Target; readonly instead: Instead; readonly names: string[]; readonly example: Record<string, unknown> };
const getKind = ({ type }: Instead): 'missing_field' | 'mistyped_field' => (type === null ? 'missing_field' : 'mistyped_field');

const listDodges = (part: Part, { rule }: AnalysedRule, tools: readonly AnalysedTool[], fuel: Fuel): PolicyWarning[] => {
  const met = meeting(part);
  const told = new Map<string, Told>();
  // A list in which several members are read is reported once.
  const targets = new Map(
    part.asked
      .flatMap(listTargets)
      .toReversed()
      .map((target) => [target.name, target]),
  );
  for (const target of [...targets.values()].toReversed()) {
    const found = dodgesAt(part, met, target);
    for (const tool of found.length === 0 ? [] : tools) {
      fuel.left -= 1;
      if (fuel.left < 0) return [];
      for (const { instead, parameters } of admitted(part, found, target, tool)) {
        const key = `${getKind(instead)} ${target.pointer}`;
        const known = told.get(key);
        if (known === undefined) told.set(key, { target, instead, names: [tool.name], example: buildBypassRequest(tool, { parameters }) });
        else if (known.target.name === target.name && known.instead.type === instead.type && known.names.at(-1) !== tool.name)
          known.names.push(tool.name);
      }
    }
  }
  return [...told.values()].map(({ target, instead, names, example }) => ({
    kind: getKind(instead),
    rule_id: rule.id,
    pointer: target.pointer,
    message: describe(target.name, names, instead),
    example,
  }));
};

/**
 * Warns of strict rules that an agent can keep from matching by omitting a member of an element or changing its type. Covers only parts
 * that
 * all have to hold, so that the rule does not match if one of them is unknown; each warning was checked by the engine. `fuel` bounds reads
 * of tools.
 */
export const findElementBypasses = (rule: AnalysedRule, tools: readonly AnalysedTool[], fuel: Fuel): PolicyWarning[] => {
  const { effect, if_missing, when } = rule.rule;
  if (effect === 'ALLOW' || if_missing === 'match' || isCatchAll(when)) return [];
  return listParts(when as PolicyCondition, `/rules/${rule.position}/when`).flatMap((part) => listDodges(part, rule, tools, fuel));
};
