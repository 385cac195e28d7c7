import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { compileUnbound, type PolicySet } from '../judge/compile-set.ts';
import { compileVersion } from '../judge/compile-version.ts';
import { evaluate } from '../judge/evaluate.ts';
import { findField } from '../language/find-field.ts';
import { readGiven } from '../language/read-given.ts';
import type { PathSegment } from '../values/path.ts';
import type { CellAssignment } from './search.ts';

export type ExampleInput = Readonly<Record<string, unknown>>;

type Draft = Record<string, unknown>;

const isDraft = (value: unknown): value is Draft => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Puts a value at the end of a path; a star becomes a list of one. Returns false if another value is in the way. */
const put = (draft: Draft, [segment, ...rest]: readonly PathSegment[], value: unknown): boolean => {
  if (segment === undefined || segment.key === '__proto__') return false;
  const key = segment.each ? 'any' : segment.key;
  if (rest.length === 0) {
    if (Object.hasOwn(draft, key)) return false;
    draft[key] = value;
    return true;
  }
  if (rest[0]?.each && rest.length === 1) {
    if (Object.hasOwn(draft, key)) return false;
    draft[key] = [value];
    return true;
  }
  if (!Object.hasOwn(draft, key)) draft[key] = {};
  const next = draft[key];
  return isDraft(next) && put(next, rest, value);
};

const agree = (left: unknown, right: unknown): boolean => left === undefined || right === undefined || left === right;

const getWeekday = (date: unknown): string | undefined =>
  typeof date === 'string' ? new Date(date).toUTCString().slice(0, 3).toUpperCase() : undefined;

/** Returns true if redundant fields agree: no request has one capability and its tool another. */
const isCoherent = (given: ExampleInput): boolean => {
  const clock = given['time.clock'];
  const ip = given['destination.ip'];
  const host = given['destination.host'];
  if (!agree(given.capability, given['tool.capability'])) return false;
  if (!agree(given['time.hour'], typeof clock === 'string' ? Number(clock.slice(0, 2)) : undefined)) return false;
  if (!agree(given['time.weekday'], getWeekday(given['time.date']))) return false;
  if (given['principal.type'] === 'AGENT' && !agree(given['principal.id'], given['agent.id'])) return false;
  return ip === undefined || host === undefined || host === ip || host === `[${ip}]`;
};

/** Pairs of fields that are both present or both missing. */
const TOGETHER: readonly (readonly [string, string])[] = [
  ['amount', 'currency'],
  ['destination.host', 'destination.port'],
];

const isTornApart = (assignment: CellAssignment, given: ExampleInput): boolean =>
  TOGETHER.some(([one, other]) => {
    const lacks = (name: string): boolean => assignment.has(name) && given[name] === undefined;
    return (given[one] !== undefined && lacks(other)) || (one !== 'amount' && given[other] !== undefined && lacks(one));
  });

/** Returns the assignment as the given values of a test, or null if no request can be like that. */
export const buildGiven = (assignment: CellAssignment): ExampleInput | null => {
  const given: Draft = {};
  const parameters: Draft = {};
  for (const [name, { value }] of assignment) {
    if (value === undefined) continue;
    const field = findField(name);
    if ('fault' in field) return null;
    if (field.row.family !== 'path') given[name] = value;
    else if (!put(parameters, field.segments, value)) return null;
  }
  if (Object.keys(parameters).length > 0) given.parameters = parameters;
  return isCoherent(given) && !isTornApart(assignment, given) ? given : null;
};

/** Evaluates one rule on a request with the engine itself; null if the request is not valid. */
export type RuleEngine = (rule: PolicyRule, given: ExampleInput) => 'matched' | 'not_matched' | 'unknown' | null;

const compileAlone = (rule: PolicyRule): PolicySet =>
  compileUnbound(
    compileVersion({
      policy_id: '',
      policy_name: '',
      version_id: '',
      version_number: 0,
      binding: { scope: 'ORGANIZATION', id: '' },
      body: { rules: [rule], tests: [] },
    }),
  );

/** Creates the engine for one rule at a time, each compiled on first use. */
export const openEngine = (): RuleEngine => {
  const sets = new Map<PolicyRule, PolicySet>();
  return (rule, given) => {
    const read = readGiven(given);
    if (!read.ok) return null;
    const set = sets.get(rule) ?? compileAlone(rule);
    sets.set(rule, set);
    return evaluate(set, read.context, Number.POSITIVE_INFINITY).matched_rules[0]?.outcome ?? 'not_matched';
  };
};
