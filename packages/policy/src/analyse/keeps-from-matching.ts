import type { VersionBody } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';

type Kind = PolicyWarning['kind'];

const DODGES: ReadonlySet<Kind> = new Set<Kind>(['missing_field', 'mistyped_field', 'stated_field', 'listed_text']);

/**
 * Whether a warning about a tool says that requests for it can keep a strict rule from matching: by what an agent leaves out or gives another
 * type or states as it likes, or since the tool takes nothing that a condition of the rule could hold of.
 */
export const keepsFromMatching = (
  { kind, rule_id }: Pick<PolicyWarning, 'kind' | 'rule_id'>,
  { rules }: Pick<VersionBody, 'rules'>,
): boolean => {
  if (kind !== 'never_holds') return DODGES.has(kind);
  const rule = rules.find(({ id }) => id === rule_id);
  return rule !== undefined && rule.effect !== 'ALLOW' && rule.if_missing !== 'match';
};
