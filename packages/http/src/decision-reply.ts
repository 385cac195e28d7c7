import type { Decision } from '@svc/contract/decisions.ts';
import type { ErrorCode } from '@svc/contract/errors.ts';
import { type Refusal, refusal } from '@svc/contract/refusal.ts';
import { type Answer, decisionText, decisionValue } from '@svc/enforcement/answer.ts';
import type { JsonText } from './reply.ts';

/** A decision as it stands, whatever it is; serialised already. */
export const decisionReply = (answer: Answer): Decision => ({ jsonText: decisionText(answer) }) satisfies JsonText as unknown as Decision;

/** A permitted action answers with its decision; any other with its code, the decision's members under `details`. */
export const actionReply = <Code extends ErrorCode>(answer: Answer): Decision | Refusal<Code> =>
  answer.code === null
    ? decisionReply(answer)
    : refusal(answer.code as Code, answer.decision.reason, { ...answer.details, ...decisionValue(answer) });
