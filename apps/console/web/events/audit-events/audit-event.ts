import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { formatAmount } from '@svc/contract/tables/currencies.ts';

export type { AuditEvent };

export type ChangedMember = { readonly name: string; readonly before: string; readonly after: string };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const asText = (value: unknown): string => {
  if (value === undefined) return 'not set';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** The members that an event changed, with their values before and after. */
export const getChanges = ({ data }: Pick<AuditEvent, 'data'>): readonly ChangedMember[] => {
  const [before, after] = [data.before, data.after].map((side) => (isObject(side) ? side : {}));
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.map((name) => ({ name, before: asText(before?.[name]), after: asText(after?.[name]) }));
};

/** Returns why an action was decided as it was, as pairs of a label and a text; empty if the event does not state it. */
export const getReasons = ({ data }: Pick<AuditEvent, 'data'>): readonly (readonly [string, string])[] => {
  const { reason, rule_id, policy_id, policy_version, amount, currency } = data;
  const inCurrency = typeof currency === 'string' ? currency : null;
  return [
    ...(typeof reason === 'string' && reason !== '' ? [['Reason', reason] as const] : []),
    ...(typeof rule_id === 'string' ? [['Rule', `${rule_id}, version ${String(policy_version)} of ${String(policy_id)}`] as const] : []),
    ...(typeof amount === 'number' ? [['Amount', formatAmount(amount, inCurrency) ?? `${amount}, in the smallest unit`] as const] : []),
  ];
};

/** The data of an event without the values before and after. */
export const getRest = ({ data }: Pick<AuditEvent, 'data'>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(data).filter(([name, value]) => (name !== 'before' && name !== 'after') || !(isObject(value) || value === null)),
  );
