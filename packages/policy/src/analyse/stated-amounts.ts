import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import type { AnalysedRule, AnalysedVersion } from '../formula/formula.ts';
import type { AnalysedTool } from './analysed-tool.ts';
import { named } from './bypasses.ts';

/**
 * Returns the position at which a rule reads the amount; undefined if it does not, or if another warning reports that it can be left out,
 * with the same remedy.
 */
const getPlace = (version: AnalysedVersion, { rule, position, atoms, pointers }: AnalysedRule): string | undefined => {
  const atom = atoms.find((number) => version.atoms[number]?.field.name === 'amount');
  if (atom === undefined) return rule.limit?.max_amount === undefined ? undefined : `/rules/${position}/limit/max_amount`;
  return rule.effect === 'ALLOW' || rule.if_missing === 'match' ? (pointers.get(atom) ?? `/rules/${position}`) : undefined;
};

/**
 * Warns of rules that rely on an amount that the agent states separately from the parameters: the tool does not receive it, so that a large
 * amount can be declared as a small one.
 */
export const statedAmounts = (version: AnalysedVersion, rule: AnalysedRule, tools: readonly AnalysedTool[]): PolicyWarning[] => {
  const pointer = getPlace(version, rule);
  const names = tools.flatMap(({ name, amount_from }) => (amount_from === null ? [name] : []));
  if (pointer === undefined || names.length === 0) return [];
  const message = `A request for ${named(names)} states its own amount, separate from the value that the tool receives, so an agent can state any amount. Declare amount_from on the tool.`;
  return [{ kind: 'stated_field', rule_id: rule.rule.id, pointer, message }];
};
