import type { OperatorName } from '@svc/contract/policies/language.ts';
import { OPERATOR_LABELS } from '@svc/contract/policies/operator-labels.ts';
import { formatMoney } from './money-text.ts';
import { escapeInvisible } from './shown-json.ts';

/** True for a field whose numbers are minor units of a currency. */
export const isAmount = (field: string): boolean => field === 'amount' || field.endsWith('.amount');

/** A value of a condition: amounts as money, other values as JSON. */
export const serializeValue = (field: string, value: unknown, currency: string | null): string => {
  if (Array.isArray(value)) return value.map((each) => serializeValue(field, each, currency)).join(', ');
  if (isAmount(field) && typeof value === 'number') return formatMoney(value, currency);
  return escapeInvisible(typeof value === 'string' ? value : JSON.stringify(value));
};

type Comparison = { readonly field: string; readonly op: OperatorName; readonly value?: unknown };

/** A comparison in words: `amount is more than 5,000.00 USD`. */
export const formatComparison = ({ field, op, value }: Comparison, currency: string | null): string =>
  `${field} ${OPERATOR_LABELS[op]}${value === undefined ? '' : ` ${serializeValue(field, value, currency)}`}`;
