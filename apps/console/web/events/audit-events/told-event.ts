import { amountText } from '@svc/contract/tables/currencies.ts';

/** An event as the plane tells it. */
export type ToldEvent = {
  readonly id: string;
  readonly type: string;
  readonly occurred_at: string;
  readonly actor: { readonly type: string; readonly id: string; readonly name: string | null };
  readonly subject: { readonly type: string; readonly id: string };
  readonly environment_id: string | null;
  readonly severity: string;
  readonly request_id: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly sequence: number | null;
};

export type Changed = { readonly name: string; readonly before: string; readonly after: string };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const worded = (value: unknown): string => {
  if (value === undefined) return 'not there';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Members that an event tells before and after, in the order they are told in; none where it tells neither. */
export const changesOf = ({ data }: Pick<ToldEvent, 'data'>): readonly Changed[] => {
  const [before, after] = [data.before, data.after].map((side) => (isObject(side) ? side : {}));
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.map((name) => ({ name, before: worded(before?.[name]), after: worded(after?.[name]) }));
};

/** Why an action was decided as it was, as pairs of a label and a text; none where the event states nothing of it. */
export const reasonsOf = ({ data }: Pick<ToldEvent, 'data'>): readonly (readonly [string, string])[] => {
  const { reason, rule_id, policy_id, policy_version, amount, currency } = data;
  const inCurrency = typeof currency === 'string' ? currency : null;
  return [
    ...(typeof reason === 'string' && reason !== '' ? [['Reason', reason] as const] : []),
    ...(typeof rule_id === 'string' ? [['Rule', `${rule_id}, version ${String(policy_version)} of ${String(policy_id)}`] as const] : []),
    ...(typeof amount === 'number' ? [['Amount', amountText(amount, inCurrency) ?? `${amount}, in the smallest unit`] as const] : []),
  ];
};

/** What it tells besides. */
export const restOf = ({ data }: Pick<ToldEvent, 'data'>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(data).filter(([name, value]) => (name !== 'before' && name !== 'after') || !(isObject(value) || value === null)),
  );
