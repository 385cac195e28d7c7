import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createFullRefusal } from '@svc/domain/people/second-factors/full-refusal.ts';
import { getVouchingOrganization } from '@svc/domain/people/second-factors/vouching-organization.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { newTotp } from '@svc/keyring/factors/totp.ts';
import { insertFactor, lockFactors } from '@svc/postgres/people/second-factors/second-factors.ts';
import { toString as toQrCode } from 'qrcode';
import type { PeopleDeps } from '../deps.ts';
import { findFreshProofRefusal } from './enrolment/fresh-proof.ts';

const asDataUrl = (svg: string): string => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;

export const enrolTotp: Handler<Endpoints['enrolTotp'], PeopleDeps> = async (call, deps) => {
  const { caller, now, body } = call;
  const refused = await findFreshProofRefusal(caller, now, deps);
  if (refused) return refused;
  const place = { user_id: caller.actor.id, id: call.newId('second_factor') };
  const { sealed, secret, url } = newTotp(deps.factors.keys.sealing, place, caller.email ?? caller.actor.id);
  const qr_code = asDataUrl(await toQrCode(url, { type: 'svg' }));
  return call.change(async ({ tx }) => {
    const factors = await lockFactors(tx, place.user_id);
    const vouched_by = getVouchingOrganization(caller, factors);
    const full = createFullRefusal(factors, vouched_by);
    if (full) return full;
    const named = { name: body?.name ?? 'Authenticator app', enrolled_in: caller.credentialId };
    await insertFactor(tx, { ...place, ...named, kind: 'TOTP', sealed_secret: sealed, vouched_by, now });
    const expires_at = new Date(now.getTime() + LIMITS.secondFactors.enrolmentLifetimeSeconds * 1000).toISOString();
    return { id: place.id, secret, otpauth_url: url, qr_code, expires_at };
  });
};
