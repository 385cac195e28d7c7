import type { Endpoints } from '@svc/contract/endpoints.ts';
import { NOBODYS_ORGANIZATION } from '@svc/contract/people/nobodys-organization.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { getMailTransport, refuseWithoutMail } from '@svc/operations/people/mail/mail-service.ts';
import { type Mail, postMail } from '@svc/operations/people/mail/post-mail.ts';
import { keepMailedCodes, type MailedCodes, newMailedCodes, resetExpiry } from '@svc/operations/people/passwords/reset-codes.ts';
import { findAccount, type SignInAccount } from '@svc/postgres/people/auth/people.ts';
import type { PeopleDeps } from '../deps.ts';

type StartCall = Call<Endpoints['startPasswordReset']>;
type ResetMail = Mail<'password-reset-code'> | Mail<'password-reset-unknown'>;

/**
 * Builds the mail for the address as the account has it, never as the caller spelled it; for an address without an account, that there is
 * none.
 */
const mailFor = (
  { body, sourceIp }: StartCall,
  { mail }: PeopleDeps,
  account: SignInAccount | undefined,
  { code, link }: MailedCodes,
): ResetMail => {
  const lifetimeSeconds = LIMITS.codes.lifetimeSeconds;
  const values = { service: mail.service(), source_ip: sourceIp };
  if (!account) return { to: body.email, template: 'password-reset-unknown', values, lifetimeSeconds };
  const withCode = { ...values, code, link, minutes: String(lifetimeSeconds / 60) };
  return { to: account.email, template: 'password-reset-code', values: withCode, lifetimeSeconds };
};

/**
 * Takes the same steps with and without an account: stores a code and enqueues a mail. The mail is caused by an unauthenticated client, so
 * no organization's budget is charged.
 */
export const startPasswordReset: Handler<Endpoints['startPasswordReset'], PeopleDeps> = async (call, deps) => {
  const unable = refuseWithoutMail(deps.mail);
  if (unable) return unable;
  const { now } = call;
  const email = call.body.email.toLowerCase();
  const account = await findAccount(deps.identity, email, undefined);
  const codes = newMailedCodes(deps.mail.service(), account?.email ?? email);
  return call.change(
    async ({ tx }) => {
      const kept = await keepMailedCodes(tx, deps.resetKeys, codes, { email, now });
      if (kept) await postMail(deps, call, tx, mailFor(call, deps, account, codes) as ResetMail & Mail<'password-reset-code'>);
      return { expires_at: resetExpiry(now).toISOString(), mail_transport: getMailTransport(deps.mail) };
    },
    undefined,
    { scope: { organization_id: NOBODYS_ORGANIZATION }, actor: { type: 'SYSTEM', id: 'system', name: null } },
  );
};
