import { convertMinor } from '@svc/domain/money/fx-rates/convert.ts';
import { parseDestination } from '@svc/domain/tools/destinations/parse-destination.ts';
import type { PolicyContext } from '@svc/policy/evaluation/policy-context.ts';
import { findField } from '@svc/policy/language/find-field.ts';
import type { Recalled } from '@svc/policy/replay/contribution.ts';
import { localTime } from '@svc/policy/values/local-time.ts';
import { getDestinationContext } from '../facts/policy-context.ts';
import { createMaskTest } from './masked-parameters.ts';
import type { Trace } from './read-trace.ts';
import type { CurrentFacts, RecordedAction } from './recorded-action.ts';

const DAY_MS = 86_400_000;

/** Fields that the record contains or that derive from it; without a value, the request had none. */
const KEPT = new Set([
  'principal.type',
  'principal.id',
  'agent.id',
  'agent.name',
  'environment.mode',
  'workspace.id',
  'tool.name',
  'currency',
  'parameters.*',
  'time.hour',
  'time.clock',
  'time.weekday',
  'time.date',
]);

type Draft = { -readonly [Part in keyof PolicyContext]: PolicyContext[Part] };

/** Data that the rules need and that is expensive to compute. */
export type Wanted = {
  readonly time: boolean;
  /** Currencies that amounts are compared in. */
  readonly currencies: ReadonlySet<string>;
};

/** Returns the amount in each currency as converted then, or at today's rates. */
const listAmounts = (
  { amount, currency }: RecordedAction,
  { base_currency, rates, now }: CurrentFacts,
  trace: Trace,
  { currencies }: Wanted,
): Map<string, number> => {
  const amounts = new Map<string, number>();
  if (amount === null) return amounts;
  for (const to of new Set([base_currency, ...currencies])) {
    const then = trace.conversions.get(to);
    const converted = then === undefined ? convertMinor(amount, currency ?? base_currency, to, rates, now) : { ok: then };
    if ('ok' in converted) amounts.set(to, converted.ok);
  }
  return amounts;
};

const placeOf = (destination: string | null): PolicyContext['destination'] => {
  if (destination === null) return undefined;
  const parsed = parseDestination(destination);
  return 'fault' in parsed ? undefined : getDestinationContext(parsed);
};

/** Past values take precedence over current ones. */
const putSeen = (draft: Record<string, unknown>, seen: Trace['seen']): void => {
  for (const [name, value] of seen) {
    const found = findField(name);
    if ('fault' in found) continue;
    const steps =
      found.row.family === 'key' ? [...found.row.name.split('.').slice(0, -1), ...found.segments.map(({ key }) => key)] : name.split('.');
    let target = draft;
    for (const step of steps.slice(0, -1)) {
      const next = Object.hasOwn(target, step) ? target[step] : undefined;
      // A copy, since several requests may share the value.
      const copy = { ...(typeof next === 'object' ? next : {}) } as Record<string, unknown>;
      target[step] = copy;
      target = copy;
    }
    Object.defineProperty(target, steps.at(-1) ?? '', { value, enumerable: true, writable: true, configurable: true });
  }
};

const getDraft = (action: RecordedAction, today: CurrentFacts, trace: Trace, wanted: Wanted): Draft => {
  const { agent, tool } = today;
  const { authority } = trace;
  const amounts = listAmounts(action, today, trace, wanted);
  const createdAt = new Date(action.created_at);
  const capability = typeof authority.capability === 'string' ? authority.capability : tool?.required_capability;
  const depth = authority.source === 'GRANT' ? 0 : authority.depth;
  const root = authority.root_principal as { readonly id?: unknown } | undefined;
  return {
    principal: { type: action.principal_type, id: action.principal_id },
    agent: {
      id: action.agent_id,
      name: action.agent_name,
      ...(agent && {
        labels: agent.labels,
        capabilities: agent.capabilities,
        created_days: Math.max(0, Math.floor((createdAt.getTime() - Date.parse(agent.created_at)) / DAY_MS)),
      }),
    },
    environment: { mode: action.mode, ...(today.environment_type && { type: today.environment_type }) },
    workspace: { id: action.workspace_id },
    tool: {
      name: action.tool,
      ...(capability !== undefined && { capability }),
      ...(tool && { risk_rating: tool.risk_rating, dangerous: tool.dangerous, kind: tool.kind }),
    },
    capability,
    parameters: action.parameters,
    amount: amounts.get(today.base_currency),
    ...(wanted.currencies.size > 0 && { amounts }),
    currency: action.amount === null ? (action.currency ?? undefined) : (action.currency ?? today.base_currency),
    destination: placeOf(action.destination),
    ...(typeof depth === 'number' && { delegation: { depth, ...(typeof root?.id === 'string' && { root_principal: root.id }) } }),
    ...(wanted.time && { time: localTime(createdAt, today.time_zone) }),
  } as Draft;
};

/** True if the field was not stored, so that its absence means nothing. */
const getLack = (
  action: RecordedAction,
  today: CurrentFacts,
  trace: Trace,
  { currencies }: Wanted,
  context: PolicyContext,
): ((field: string) => boolean) => {
  const isMasked = createMaskTest(action.parameters);
  return (name) => {
    if (trace.seen.has(name)) return false;
    if (isMasked(name)) return true;
    const found = findField(name);
    // A field that no request has is not a lost one.
    if ('fault' in found || KEPT.has(found.row.name) || found.row.unknown_because !== undefined) return false;
    if (found.row.name === 'amount') {
      const isKnownIn = (currency: string): boolean => context.amounts?.has(currency) ?? context.amount !== undefined;
      return action.amount !== null && ![today.base_currency, ...currencies].every(isKnownIn);
    }
    if (name.startsWith('destination.')) return action.destination !== null && context.destination === undefined;
    if (found.row.name === 'agent.labels.*') return today.agent === undefined;
    if (name.startsWith('delegation.')) return context.delegation === undefined;
    // Any other value was taken from the current state; an unknown field has none.
    const value = found.row.read(context);
    return value === undefined || value === null;
  };
};

/**
 * Restores a recorded action for the current rules. Some of it is the current state, and values that were not stored are distinguished from
 * missing ones.
 */
export const recall = (action: RecordedAction, today: CurrentFacts, trace: Trace, wanted: Wanted): Recalled => {
  const context = getDraft(action, today, trace, wanted);
  putSeen(context, trace.seen);
  return { context, lacks: getLack(action, today, trace, wanted, context) };
};
