import type { Decision } from '@svc/contract/actions/decisions.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { serializeDecision, serializeDecisionParts } from '@svc/enforcement/explanation/tell-decision.ts';
import type { GovernAnswer } from '@svc/enforcement/govern/answer.ts';
import type { LargeResult } from '@svc/enforcement/ports/execution-results.ts';
import { type SerializedResult, serializeResponse } from './written.ts';

/** The result is already bytes, and is inserted into the text without a conversion. */
const withLarge = (decision: Decision, rules: GovernAnswer['rules'], large: LargeResult): SerializedResult<Decision> => {
  const [before, after] = serializeDecisionParts(decision, rules);
  return serializeResponse(Buffer.concat([Buffer.from(before), large.json, Buffer.from(after)]), large);
};

/**
 * A permitted action responds with its decision; any other with its code, and the decision in `details.decision` with the details of the
 * code.
 */
export const buildActionReply = ({
  code,
  decision,
  details,
  rules,
  large,
}: GovernAnswer): SerializedResult<Decision> | Refusal<NonNullable<GovernAnswer['code']>> => {
  if (code !== null) return buildRefusal(code, decision.reason, { ...details, decision });
  return large === undefined ? serializeResponse(serializeDecision(decision, rules)) : withLarge(decision, rules, large);
};
