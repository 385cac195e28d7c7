import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { builtInRole } from '@svc/contract/tables/built-in-roles.ts';
import { hasSecondFactor } from '@svc/contract/tables/proofs.ts';
import { isAdmitted } from '@svc/http/admission/networks.ts';
import type { Call } from '@svc/http/calls/call.ts';

const OWNER = builtInRole('owner').id;

type Changed = { readonly require_mfa?: boolean | undefined; readonly allowed_networks?: readonly string[] | undefined };

/** Returns why a change would lock the caller out. The caller can confirm it; for allowed_networks only an owner can. */
export const lockoutRefusal = (
  { caller, sourceIp, body, refuse }: Call<Endpoints['updateOrganization']>,
  { require_mfa, allowed_networks }: Changed,
): Refusal<'UNPROCESSABLE' | 'VALIDATION_FAILED'> | undefined => {
  const confirm = { confirm: 'confirm_lockout' };
  if (require_mfa && !body.confirm_lockout && caller.actor.type === 'USER' && !hasSecondFactor(caller.amr))
    return refuse(
      'UNPROCESSABLE',
      'Your session rests on no second factor, so it would reach nothing but enrolment: sign in with one first, or send confirm_lockout.',
      confirm,
    );
  if (allowed_networks === undefined || isAdmitted(allowed_networks, sourceIp)) return undefined;
  if (body.confirm_lockout && caller.roleId === OWNER) return undefined;
  const message = `must admit your own address, ${sourceIp}, or your next request would be refused: add it, or have an owner send confirm_lockout`;
  return refuse('VALIDATION_FAILED', `allowed_networks ${message}.`, {
    ...{ faults: [{ pointer: '/allowed_networks', message }], source_address: sourceIp },
    ...(caller.roleId === OWNER ? confirm : {}),
  });
};
