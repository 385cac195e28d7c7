import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import type { Proof } from '@svc/contract/tables/proofs.ts';
import { hasSecondFactor } from '@svc/contract/tables/proofs.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { isAdmitted } from './is-admitted.ts';

const OWNER = getBuiltInRole('owner').id;

type Changing = Pick<CallContext, 'actor'> & {
  readonly amr: readonly Proof[];
  readonly roleId: string;
  readonly sourceIp: string;
  readonly body: Pick<EndpointBody<Endpoints['updateOrganization']>, 'confirm_lockout'>;
};
type Changed = { readonly require_mfa?: boolean | undefined; readonly allowed_networks?: readonly string[] | undefined };

/** Returns why a change would lock the caller out. The caller can confirm it; for allowed_networks only an owner can. */
export const findLockoutRefusal = (
  { actor, amr, roleId, sourceIp, body }: Changing,
  { require_mfa, allowed_networks }: Changed,
): Refusal<'UNPROCESSABLE' | 'VALIDATION_FAILED'> | undefined => {
  const confirm = { confirm: 'confirm_lockout' };
  if (require_mfa && !body.confirm_lockout && actor.type === 'USER' && !hasSecondFactor(amr))
    return buildRefusal(
      'UNPROCESSABLE',
      'Your session rests on no second factor, so it would reach nothing but enrolment: sign in with one first, or send confirm_lockout.',
      confirm,
    );
  if (allowed_networks === undefined || isAdmitted(allowed_networks, sourceIp)) return undefined;
  if (body.confirm_lockout && roleId === OWNER) return undefined;
  const message = `must admit your own address, ${sourceIp}, or your next request would be refused: add it, or have an owner send confirm_lockout`;
  return buildRefusal('VALIDATION_FAILED', `allowed_networks ${message}.`, {
    ...{ faults: [{ pointer: '/allowed_networks', message }], source_address: sourceIp },
    ...(roleId === OWNER ? confirm : {}),
  });
};
