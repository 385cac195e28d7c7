import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { hasSecondFactor } from '@svc/contract/tables/proofs.ts';
import { isAdmitted } from '@svc/http/admission/networks.ts';
import type { Call } from '@svc/http/calls/call.ts';

type Changed = { readonly require_mfa?: boolean | undefined; readonly allowed_networks?: readonly string[] | undefined };

/** Why whoever asks for a change would be locked out by it, and so is asked to confirm that. */
export const lockoutRefusal = (
  { caller, sourceIp, body, refuse }: Call<Endpoints['updateOrganization']>,
  { require_mfa, allowed_networks }: Changed,
): Refusal<'UNPROCESSABLE'> | undefined => {
  if (body.confirm_lockout) return undefined;
  const confirm = { confirm: 'confirm_lockout' };
  if (require_mfa && caller.actor.type === 'USER' && !hasSecondFactor(caller.amr))
    return refuse(
      'UNPROCESSABLE',
      'Your session rests on no second factor, so it would reach nothing but enrolment: sign in with one first, or send confirm_lockout.',
      confirm,
    );
  if (allowed_networks !== undefined && !isAdmitted(allowed_networks, sourceIp))
    return refuse(
      'UNPROCESSABLE',
      `Your own address, ${sourceIp}, lies in none of these networks, so your next call would be refused: add it, or send confirm_lockout.`,
      { ...confirm, source_address: sourceIp },
    );
  return undefined;
};
