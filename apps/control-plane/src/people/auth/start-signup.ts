import type { Endpoints } from '@svc/contract/endpoints.ts';
import { NOBODYS_ORGANIZATION } from '@svc/contract/people/nobodys-organization.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { hashCode, newMailCode } from '@svc/keyring/codes/mail-code.ts';
import { getMailTransport, refuseWithoutMail } from '@svc/operations/people/mail/mail-service.ts';
import { postMail } from '@svc/operations/people/mail/post-mail.ts';
import { hashNewPassword } from '@svc/operations/people/passwords/hash-new-password.ts';
import { findAccount } from '@svc/postgres/people/auth/people.ts';
import { beginSignUp, type EarlierSignUps, listSignUps } from '@svc/postgres/people/auth/sign-ups.ts';
import type { PeopleDeps } from '../deps.ts';
import { refuseFounding } from './founding/may-found.ts';

type StartCall = Call<Endpoints['startSignup']>;

const { lifetimeSeconds } = LIMITS.codes;

/** Reads the pending sign-ups of this address. One that began with the same password belongs to the same person. */
const lookBefore = async (
  { body, now }: StartCall,
  { identity, passwords, signUps }: PeopleDeps,
  emailKey: string,
): Promise<EarlierSignUps | Refusal<'RATE_LIMITED'>> => {
  const waiting = await listSignUps(identity, emailKey, now);
  const [newest] = waiting;
  // Verified even if nothing is pending, so that the response time does not disclose it.
  const isSame = await passwords.verify(newest ? signUps.open(newest).passwordHash : null, body.password, 'stranger');
  if (isRefusal(isSame)) return isSame;
  return { seen: waiting.map(({ id }) => id), replaces: isSame ? newest : undefined };
};

/**
 * Mails the code to an address without an account; the owner of an account is notified of the attempt instead. All other steps are the same
 * for both.
 */
const post = (call: StartCall, deps: PeopleDeps, isKnown: boolean, code: string) => {
  const { body, sourceIp: source_ip } = call;
  const service = deps.mail.service();
  const common = { to: body.email, lifetimeSeconds };
  return isKnown
    ? ({ ...common, template: 'sign-up-known', values: { service, source_ip } } as const)
    : ({ ...common, template: 'sign-up-code', values: { service, source_ip, code, minutes: String(lifetimeSeconds / 60) } } as const);
};

/** Starts a sign-up. No organization or person is created before the code is returned. */
export const startSignup: Handler<Endpoints['startSignup'], PeopleDeps> = async (call, deps) => {
  const { body, now } = call;
  const { email, name, password, setup_token = null } = body;
  const organizationName = body.organizationName ?? body.organization_name ?? `${[...name].slice(0, 100).join('')}'s organization`;
  if (body.organization_name !== undefined && body.organization_name !== organizationName)
    return call.fault('/organization_name', 'Must not differ from organizationName.');
  const closed = refuseWithoutMail(deps.mail) ?? (await refuseFounding(deps, body));
  if (closed) return closed;
  const known = [email, name, organizationName];
  const hashed = await hashNewPassword(deps.passwords, { password, known, beside: 'nothing', of: 'stranger' });
  if (isRefusal(hashed)) return call.refuse('RATE_LIMITED', hashed.message, hashed.details);
  if ('fault' in hashed) return call.fault('/password', hashed.fault);
  const emailKey = deps.signUps.emailKey(email);
  const account = await findAccount(deps.identity, email.toLowerCase(), undefined);
  const before = await lookBefore(call, deps, emailKey);
  if (isRefusal(before)) return before;
  const id = call.newId('sign_up');
  const code = newMailCode();
  const expires_at = new Date(now.getTime() + lifetimeSeconds * 1000);
  const sealed = deps.signUps.seal(id, { email, name, organizationName, passwordHash: hashed.phc, setup_token });
  const row = { id, email_key: emailKey, sealed, code_hash: hashCode(deps.signUps.codeKey, code, id), expires_at, now };
  return call.change(
    async ({ tx }) => {
      await beginSignUp(tx, row, before);
      await postMail(deps, call, tx, post(call, deps, account !== undefined, code));
      return { expires_at: expires_at.toISOString(), mail_transport: getMailTransport(deps.mail) };
    },
    undefined,
    { scope: { organization_id: NOBODYS_ORGANIZATION }, actor: { type: 'SYSTEM', id: 'system', name: null } },
  );
};
