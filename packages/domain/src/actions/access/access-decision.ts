import type { AccessDecision } from '@svc/contract/actions/access.ts';
import type { Decision } from '@svc/contract/actions/decisions.ts';

/** Obligation that the caller has to carry out itself: nothing is executed here. */
const MASK = 'mask';

type Permission = { readonly permitted: boolean; readonly reason: string };

const getPermission = (decision: Decision, accepts: readonly string[]): Permission => {
  const { mode, code, status, reason, explanation } = decision;
  if (status === 'SIMULATED' || mode === 'SIMULATE')
    return { permitted: false, reason: 'The environment is in SIMULATE: no action may happen.' };
  if (status === 'OBSERVED') return { permitted: true, reason };
  if (code !== null || status !== 'ALLOWED') return { permitted: false, reason };
  if ((explanation.obligations?.mask ?? null) !== null && !accepts.includes(MASK))
    return {
      permitted: false,
      reason: 'Allowed only with masks. Apply the masks of the answer and send "accepts": ["mask"] in the context.',
    };
  return { permitted: true, reason };
};

/** Maps a decision to the answer of AuthZEN. True only if the action may happen and the caller carries out every obligation. */
export const accessDecision = (decision: Decision, accepts: readonly string[]): AccessDecision => {
  const { permitted, reason } = getPermission(decision, accepts);
  const { matched_rule, obligations } = decision.explanation;
  const mask = obligations?.mask ?? undefined;
  return {
    decision: permitted,
    context: {
      code: decision.code,
      reason,
      mode: decision.mode,
      action_id: decision.action_id,
      matched_rule,
      request_id: decision.request_id,
      ...(decision.mode === 'ENFORCE' ? {} : { would_be: { decision: decision.decision, code: decision.code } }),
      ...(mask === undefined ? {} : { obligations: { mask } }),
      ...(decision.approval ? { approval: decision.approval } : {}),
      ...(decision.details ? { details: decision.details } : {}),
    },
  };
};

/** A denial for a reason that needs no decision, such as an unknown subject. */
export const deniedAccess = (code: string, reason: string, details?: Readonly<Record<string, unknown>>): AccessDecision => ({
  decision: false,
  context: { code, reason, ...(details ? { details } : {}) },
});
