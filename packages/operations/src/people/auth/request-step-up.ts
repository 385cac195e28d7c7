import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { recordStepUpRequest } from '@svc/postgres/people/sessions/step-up-requests.ts';

type StepUpRequest = {
  readonly session: { readonly organization_id: string; readonly id: string };
  /** Random value from which the code of the request derives. */
  readonly value: string;
  readonly sourceIp: string;
  readonly now: Date;
};

/** Records that a session requests a step-up in a browser, instead of an earlier request of the session. */
export const requestStepUp = async ({ tx }: Change<never>, { session, ...request }: StepUpRequest) =>
  (await recordStepUpRequest(tx, session, request)) ? undefined : buildRefusal('UNAUTHENTICATED', 'This session has ended. Sign in again.');
