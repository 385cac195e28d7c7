import { escapePointerToken } from '@svc/contract/rows/fault.ts';
import { getCurrencyExponent } from '@svc/contract/tables/currencies.ts';
import type { PolicyTemplate, Tell, TemplateParameter } from './policy-template.ts';

export type ValueFault = { readonly pointer: string; readonly message: string };
export type FilledTemplate = Pick<PolicyTemplate, 'rules' | 'tests'>;

/** Formats 50000 of a currency with two decimal places as 500.00, and 1000000 as 10,000.00. */
const findMoney =
  (currency: string): Tell['money'] =>
  (minor) => {
    const places = getCurrencyExponent(currency) ?? 2;
    const digits = String(minor).padStart(places + 1, '0');
    const major = digits.slice(0, digits.length - places).replace(/\B(?=(\d{3})+$)/g, ',');
    return places === 0 ? major : `${major}.${digits.slice(-places)}`;
  };

type Node = Record<string, unknown>;

const writeAt = (root: Node, pointer: string, value: unknown): void => {
  const steps = pointer.slice(1).split('/');
  const last = steps.pop() ?? '';
  const parent = steps.reduce<Node>((node, step) => node[step] as Node, root);
  parent[last] = value;
};

const nameFaults = (parameters: readonly TemplateParameter[], values: Node): ValueFault[] =>
  Object.keys(values)
    .filter((name) => !parameters.some((row) => row.name === name))
    .map((name) => ({
      pointer: `/values/${escapePointerToken(name)}`,
      message: `The template has no such parameter; must be one of: ${parameters.map((row) => row.name).join(', ') || 'none'}.`,
    }));

/**
 * Returns the rules and tests of a template with these values, and with the default if none is given; amounts are formatted in the
 * currency.
 * Faults point into `/values`. The language and the template's own tests check if the values make sense together.
 */
export const fillTemplate = (
  { parameters = [], rules, tests }: PolicyTemplate,
  values: Node,
  currency: string,
): FilledTemplate | readonly ValueFault[] => {
  const faults = nameFaults(parameters, values);
  const filled = structuredClone({ rules, tests });
  const tell = { money: findMoney(currency) };
  for (const { name, kind, default: otherwise, places } of parameters) {
    const value = Object.hasOwn(values, name) ? values[name] : otherwise;
    if (!kind.holds(value)) faults.push({ pointer: `/values/${name}`, message: `Must be ${kind.says}.` });
    else if (faults.length === 0) for (const [pointer, write] of Object.entries(places)) writeAt(filled, pointer, write(value, tell));
  }
  return faults.length > 0 ? faults : filled;
};
