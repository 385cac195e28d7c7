import type { VersionBody } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';

type Kind = PolicyWarning['kind'];

const DODGES: ReadonlySet<Kind> = new Set<Kind>(['missing_field', 'mistyped_field', 'stated_field', 'listed_text']);

/**
 * Returns true if a warning about a tool means that its requests can keep a strict rule from matching: by what an agent omits, gives
 * another
 * type or states freely, or since the tool admits no value that a condition of the rule could match.
 */
export const keepsFromMatching = (
  { kind, rule_id }: Pick<PolicyWarning, 'kind' | 'rule_id'>,
  { rules }: Pick<VersionBody, 'rules'>,
): boolean => {
  if (kind !== 'never_holds') return DODGES.has(kind);
  const rule = rules.find(({ id }) => id === rule_id);
  return rule !== undefined && rule.effect !== 'ALLOW' && rule.if_missing !== 'match';
};
