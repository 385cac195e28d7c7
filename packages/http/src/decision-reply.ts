import type { Decision } from '@svc/contract/decisions.ts';
import type { ErrorCode } from '@svc/contract/errors.ts';
import { type Refusal, refusal } from '@svc/contract/refusal.ts';
import type { Answer } from '@svc/enforcement/answer.ts';
import { tellDecision } from '@svc/enforcement/explanation/tell-decision.ts';
import { type Written, written } from './written.ts';

/** A permitted action answers with its decision; any other with its code, the decision's members under `details`. */
export const actionReply = <Code extends ErrorCode>({ code, decision, details, rules }: Answer): Written<Decision> | Refusal<Code> =>
  code === null ? written(tellDecision(decision, rules)) : refusal(code as Code, decision.reason, { ...details, ...decision });
