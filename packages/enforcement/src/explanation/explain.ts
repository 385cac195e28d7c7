import type { Explanation } from '@svc/contract/actions/decisions.ts';
import type { PolicyDecision } from '@svc/contract/policies/language.ts';
import type { Risk } from '@svc/domain/risk/risk-signals/assess-risk.ts';
import type { PipelineVerdict } from '../decision/decide.ts';
import { explainConversions } from '../facts/amounts.ts';
import type { Facts } from '../facts/facts.ts';
import { explainAuthority } from './explain-authority.ts';
import { listVisibleRules } from './shown-rules.ts';

const NO_RISK = Object.freeze({ signals: [] });

/** Explains the signals that fired and their sum. Without any it is one short text in every record. */
const explainRisk = (risk: Risk | undefined): Explanation['risk'] =>
  risk === undefined || (risk.complete && risk.signals.length === 0) ? NO_RISK : risk;

const hasObligations = ({ obligations }: PolicyDecision): boolean => obligations.mask !== null || obligations.limits.length > 0;

const listObligations = ({ obligations: { mask, limits } }: PolicyDecision): NonNullable<Explanation['obligations']> => ({ mask, limits });

/** Explains a verdict for the response and the record. */
export const explain = (facts: Facts, verdict: PipelineVerdict): Explanation => {
  const { policy } = verdict.learned;
  const conversions = explainConversions(verdict.learned.amounts, facts.now);
  return {
    decision: verdict.effect,
    matched_rule: policy?.matched_rule ?? null,
    matched_rules: policy ? listVisibleRules(policy) : [],
    skipped_rules: policy?.skipped ?? 0,
    authority: explainAuthority(facts, verdict.learned),
    risk: explainRisk(verdict.learned.risk),
    ...(conversions ? { conversions } : {}),
    stages: verdict.findings as Explanation['stages'],
    ...(policy && hasObligations(policy) ? { obligations: listObligations(policy) } : {}),
    ...(policy && policy.unknown_fields.length > 0 ? { unknown_fields: policy.unknown_fields } : {}),
  };
};
