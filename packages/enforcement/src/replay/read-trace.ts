import { findField } from '@svc/policy/language/find-field.ts';
import { MASKED } from '@svc/policy/masks/mask-secrets.ts';
import { isJsonObject } from '@svc/policy/values/check-members.ts';

/** Facts about the request in the explanation of a decision, in addition to the record. */
export type Trace = {
  /** Values by field name as the rules saw them; undefined if the field was missing. */
  readonly seen: ReadonlyMap<string, unknown>;
  /** The amount in other currencies as converted then. */
  readonly conversions: ReadonlyMap<string, number>;
  readonly authority: Readonly<Record<string, unknown>>;
  /** True if the request reached the policy stage. */
  readonly reachedPolicy: boolean;
};

/** A text of this length may have been cut. */
const WHOLE_TEXT_MAX = 200;
const NOTHING = Object.freeze({});

/** True if a value in the trace is complete. Lists and long texts may be shortened, secrets are masked. */
const isWhole = (value: unknown): boolean =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.length < WHOLE_TEXT_MAX && !value.includes(MASKED));

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const noteCondition = (seen: Map<string, unknown>, condition: unknown): void => {
  if (!isJsonObject(condition) || typeof condition.field !== 'string' || seen.has(condition.field)) return;
  const { field, actual, unknown_because, op } = condition;
  const wasMissing = unknown_because === 'missing' || (actual === undefined && (op === 'exists' || op === 'not_exists'));
  if (!wasMissing && !isWhole(actual)) return;
  const found = findField(field);
  // Parameters are stored separately, and a path into them may have several values; so does an amount, which rules read in several
  // currencies.
  if (!('fault' in found) && found.row.family !== 'path' && found.row.name !== 'amount') seen.set(field, wasMissing ? undefined : actual);
};

const getConversion = (entry: unknown): [string, number][] =>
  isJsonObject(entry) && typeof entry.currency === 'string' && Number.isSafeInteger(entry.amount)
    ? [[entry.currency, entry.amount as number]]
    : [];

/** Reads a stored explanation; unreadable parts are ignored. */
export const readTrace = (explanation: unknown): Trace => {
  const { matched_rules, stages, authority, conversions } = isJsonObject(explanation) ? explanation : (NOTHING as Record<string, unknown>);
  const seen = new Map<string, unknown>();
  for (const rule of listOf(matched_rules)) {
    if (isJsonObject(rule)) for (const condition of listOf(rule.conditions)) noteCondition(seen, condition);
  }
  const found = listOf(stages);
  return {
    seen,
    conversions: new Map(listOf(conversions).flatMap(getConversion)),
    authority: isJsonObject(authority) ? authority : NOTHING,
    reachedPolicy: found.length === 0 || found.some((stage) => isJsonObject(stage) && stage.stage === 'policy'),
  };
};
