import type { Explanation } from '@svc/contract/decisions.ts';
import type { Verdict } from './decide.ts';
import { explainAuthority } from './explain-authority.ts';
import type { Facts } from './facts.ts';

const NO_RISK = Object.freeze({ signals: [] });

/** Why the verdict is what it is, as it is answered and recorded. */
export const explain = (facts: Facts, verdict: Verdict): Explanation => {
  const { policy } = verdict.learned;
  return {
    decision: verdict.effect,
    matched_rule: policy?.matched_rule ?? null,
    matched_rules: policy?.matched_rules ?? [],
    skipped_rules: policy?.skipped ?? 0,
    authority: explainAuthority(facts, verdict.learned),
    risk: NO_RISK,
    stages: verdict.findings as Explanation['stages'],
    ...(policy && policy.unknown_fields.length > 0 ? { unknown_fields: policy.unknown_fields } : {}),
  };
};
