import type { Decision } from '@svc/contract/decisions.ts';
import type { ErrorCode } from '@svc/contract/errors.ts';
import { type Refusal, refusal } from '@svc/contract/refusal.ts';
import type { Answer } from '@svc/enforcement/answer.ts';
import { tellDecision, tellDecisionAround } from '@svc/enforcement/explanation/tell-decision.ts';
import type { LargeResult } from '@svc/enforcement/ports.ts';
import { type Written, written } from './written.ts';

/** The result is bytes already, and goes where it belongs in the text without becoming text itself. */
const withLarge = (decision: Decision, rules: Answer['rules'], large: LargeResult): Written<Decision> => {
  const [before, after] = tellDecisionAround(decision, rules);
  return written(Buffer.concat([Buffer.from(before), large.json, Buffer.from(after)]), large);
};

/** A permitted action answers with its decision; any other with its code, the decision's members under `details`. */
export const actionReply = <Code extends ErrorCode>({
  code,
  decision,
  details,
  rules,
  large,
}: Answer): Written<Decision> | Refusal<Code> => {
  if (code !== null) return refusal(code as Code, decision.reason, { ...details, ...decision });
  return large === undefined ? written(tellDecision(decision, rules)) : withLarge(decision, rules, large);
};
