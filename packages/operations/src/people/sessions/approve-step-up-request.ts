import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { GainedProofs } from '@svc/postgres/people/sessions/sessions.ts';
import { grantStepUpRequest, type StepUpRequestRow } from '@svc/postgres/people/sessions/step-up-requests.ts';
import type { CallContext } from '../auth/acting.ts';

type Approval = CallContext & {
  /** The session that requested the step-up. */
  readonly session: { readonly organization_id: string; readonly id: string };
  readonly request: StepUpRequestRow;
  /** Requests from before this time have expired. */
  readonly since: Date;
  /** The session in which the person stepped up, until when, and the proofs that it rests on. */
  readonly steppedUp: { readonly sessionId: string; readonly until: Date; readonly proofs: GainedProofs };
};

/** Steps up a session by the step-up of another session of its person. A request is used once, and never outlives that step-up. */
export const approveStepUpRequest = async (
  { tx, emit }: Change<'user.step_up_completed'>,
  { actor, session, request, since, steppedUp: { sessionId, until, proofs } }: Approval,
) => {
  const grant = { value: request.value, until, proofs };
  const isFirst = await grantStepUpRequest(tx, { ...session, userId: actor.id, since }, grant);
  if (!isFirst) return buildRefusal('GONE', 'This request was used, replaced or has expired. Start again in the terminal.');
  const step_up_expires_at = until.toISOString();
  emit('user.step_up_completed', {
    ...about.user(actor),
    data: {
      session_id: session.id,
      step_up_expires_at,
      proofs: [...proofs.own, ...proofs.vouched],
      approved_in: sessionId,
      requested_from: request.requested_from,
    },
  });
  return { step_up_expires_at };
};
