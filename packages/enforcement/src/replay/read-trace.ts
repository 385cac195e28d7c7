import { findField } from '@svc/policy/language/find-field.ts';
import { MASKED } from '@svc/policy/masks/mask-secrets.ts';
import { isJsonObject } from '@svc/policy/values/check-members.ts';

/** What the explanation of a decision tells about the request, besides what the record itself holds. */
export type Trace = {
  /** Values by the name of a field, as the rules saw them then; undefined where the field was missing. */
  readonly seen: ReadonlyMap<string, unknown>;
  /** The amount in other currencies, as it was reckoned then. */
  readonly conversions: ReadonlyMap<string, number>;
  readonly authority: Readonly<Record<string, unknown>>;
  /** Whether the request got as far as policy. */
  readonly reachedPolicy: boolean;
};

/** A text of this length may have been cut. */
const WHOLE_TEXT_MAX = 200;
const NOTHING = Object.freeze({});

/** Whether a value in the trace is the whole value. Lists and long texts may have been shortened, secrets are masked. */
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
  // The parameters are kept as such, and a path into them has no one value; nor has an amount, which rules read in several currencies.
  if (!('fault' in found) && found.row.family !== 'path' && found.row.name !== 'amount') seen.set(field, wasMissing ? undefined : actual);
};

const conversionOf = (entry: unknown): [string, number][] =>
  isJsonObject(entry) && typeof entry.currency === 'string' && Number.isSafeInteger(entry.amount)
    ? [[entry.currency, entry.amount as number]]
    : [];

/** Reads an explanation as it was kept; what cannot be read tells nothing. */
export const readTrace = (explanation: unknown): Trace => {
  const { matched_rules, stages, authority, conversions } = isJsonObject(explanation) ? explanation : (NOTHING as Record<string, unknown>);
  const seen = new Map<string, unknown>();
  for (const rule of listOf(matched_rules)) {
    if (isJsonObject(rule)) for (const condition of listOf(rule.conditions)) noteCondition(seen, condition);
  }
  const found = listOf(stages);
  return {
    seen,
    conversions: new Map(listOf(conversions).flatMap(conversionOf)),
    authority: isJsonObject(authority) ? authority : NOTHING,
    reachedPolicy: found.length === 0 || found.some((stage) => isJsonObject(stage) && stage.stage === 'policy'),
  };
};
