import type { ConditionTrace } from '@svc/contract/policies/language.ts';
import { serializeValue } from '../../design/condition-text.ts';
import type { Action } from './action.ts';
import { getRules } from './explanation.ts';

/** A variant of a decided request that differs in one value: the amount or one parameter. */
export type Alternative = {
  readonly text: string;
  readonly amount?: number;
  readonly parameters?: Readonly<Record<string, unknown>>;
};

const AMOUNTS_MAX = 3;
const VALUES_MAX = 3;

/** Returns the largest amount for which an amount condition has the other result; empty if there is none. */
const listBoundaries = ({ op, expected }: ConditionTrace): readonly number[] => {
  if (typeof expected !== 'number') return [];
  if (op === 'gt' || op === 'lte' || op === 'eq') return [expected];
  return op === 'gte' || op === 'lt' ? [expected - 1] : [];
};

const listConditions = (action: Action): readonly ConditionTrace[] => getRules(action).flatMap(({ conditions }) => conditions);

const listAmountAlternatives = (action: Action): readonly Alternative[] => {
  const { amount, currency } = action;
  if (amount === null) return [];
  const values = listConditions(action).flatMap((condition) => (condition.field === 'amount' ? listBoundaries(condition) : []));
  return [...new Set(values)]
    .filter((value) => value >= 0 && value < amount)
    .toSorted((one, other) => other - one)
    .slice(0, AMOUNTS_MAX)
    .map((value) => ({ text: `amount at most ${serializeValue('amount', value, currency)}`, amount: value }));
};

const PARAMETER_FIELD = /^parameters\.([A-Za-z0-9_-]+)$/;

const listParameterAlternatives = (action: Action): readonly Alternative[] =>
  getRules(action)
    .filter(({ effect, outcome }) => effect !== 'BLOCK' && outcome !== 'matched')
    .flatMap(({ conditions }) => conditions)
    .flatMap(({ field, op, expected, outcome }) => {
      const name = PARAMETER_FIELD.exec(field)?.[1];
      const value = op === 'in' && Array.isArray(expected) ? expected[0] : op === 'eq' ? expected : undefined;
      if (name === undefined || value === undefined || outcome === 'true') return [];
      return [{ text: `${field} is ${serializeValue(field, value, action.currency)}`, parameters: { [name]: value } }];
    })
    .slice(0, VALUES_MAX);

/** Returns variants of a request that was not allowed: each sets one value to a limit of a rule condition. */
export const getAlternatives = (action: Action): readonly Alternative[] =>
  action.decision === 'ALLOW' ? [] : [...listAmountAlternatives(action), ...listParameterAlternatives(action)];

/** Returns the parameters with the value at a JSON pointer replaced; undefined if the pointer does not resolve. */
const replaceValue = (
  parameters: Readonly<Record<string, unknown>>,
  pointer: string,
  value: unknown,
): Record<string, unknown> | undefined => {
  const copy = structuredClone(parameters) as Record<string, unknown>;
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  let at: Record<string, unknown> = copy;
  for (const step of steps.slice(0, -1)) {
    const next = at[step];
    if (typeof next !== 'object' || next === null) return undefined;
    at = next as Record<string, unknown>;
  }
  const last = steps.at(-1);
  if (last === undefined) return undefined;
  at[last] = value;
  return copy;
};

/** Builds the body of a simulation request for an alternative. `amountPointer` is the JSON pointer to the tool's amount parameter. */
export const buildSimulation = (action: Action, alternative: Alternative, amountPointer: string | null | undefined) => {
  const { agent_id, tool_id, tool, currency, destination } = action;
  const amount = alternative.amount ?? action.amount;
  const changed = { ...action.parameters, ...alternative.parameters };
  const isInParameters = typeof amountPointer === 'string' && amount !== null;
  return {
    agent_id,
    tool: tool_id ?? tool,
    parameters: isInParameters ? (replaceValue(changed, amountPointer, amount) ?? changed) : changed,
    ...(amount === null ? {} : { amount }),
    ...(currency === null ? {} : { currency }),
    ...(destination === null ? {} : { destination }),
  };
};
