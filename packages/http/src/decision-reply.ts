import type { Decision } from '@svc/contract/decisions.ts';
import { type Refusal, refusal } from '@svc/contract/refusal.ts';
import type { Answer } from '@svc/enforcement/answer.ts';
import { tellDecision } from '@svc/enforcement/explanation/tell-decision.ts';
import { type Written, written } from './written.ts';

/** A permitted action answers with its decision; any other with its code, with the decision under `details.decision` beside what the code has to say. */
export const actionReply = ({ code, decision, details, rules }: Answer): Written<Decision> | Refusal<NonNullable<Answer['code']>> =>
  code === null ? written(tellDecision(decision, rules)) : refusal(code, decision.reason, { ...details, decision });
