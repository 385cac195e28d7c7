import type { Endpoints } from '@svc/contract/endpoints.ts';
import { NOBODYS_ORGANIZATION } from '@svc/contract/people/nobodys-organization.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { newMailCode } from '@svc/keyring/codes/mail-code.ts';
import { resetCodeOf, resetExpiry } from '@svc/operations/people/auth/reset-codes.ts';
import { refuseWithoutMail } from '@svc/operations/people/mail/mail-desk.ts';
import { type Mail, postMail } from '@svc/operations/people/mail/post-mail.ts';
import { insertResetCode } from '@svc/postgres/people/auth/password-resets.ts';
import { type Account, findAccount } from '@svc/postgres/people/auth/people.ts';
import type { ControlDeps } from '../../deps.ts';

type StartCall = Call<Endpoints['startPasswordReset']>;
type ResetMail = Mail<'password-reset-code'> | Mail<'password-reset-unknown'>;

/** To the address as the account has it, never as somebody spelled it; to one without an account, that there is none. */
const mailFor = ({ body, sourceIp }: StartCall, { mail }: ControlDeps, account: Account | undefined, code: string): ResetMail => {
  const lifetimeSeconds = LIMITS.codes.lifetimeSeconds;
  const values = { service: mail.service(), source_ip: sourceIp };
  if (!account) return { to: body.email, template: 'password-reset-unknown', values, lifetimeSeconds };
  const withCode = { ...values, code, minutes: String(lifetimeSeconds / 60) };
  return { to: account.email, template: 'password-reset-code', values: withCode, lifetimeSeconds };
};

/**
 * Takes the same steps for an address with an account and for one without: a code is kept, and a mail is left to be sent. The mail of a code is
 * a stranger's, and no organization pays for it.
 */
export const startPasswordReset: Handler<Endpoints['startPasswordReset'], ControlDeps> = async (call, deps) => {
  const unable = refuseWithoutMail(deps.mail);
  if (unable) return unable;
  const { now } = call;
  const email = call.body.email.toLowerCase();
  const account = await findAccount(deps.identity, email, undefined);
  const code = newMailCode();
  const expiresAt = resetExpiry(now);
  return call.change(
    async ({ tx }) => {
      const kept = await insertResetCode(tx, { ...resetCodeOf(deps.resetKeys, email, code, now), expiresAt });
      if (kept) await postMail(deps, call, tx, mailFor(call, deps, account, code) as ResetMail & Mail<'password-reset-code'>);
      return { expires_at: expiresAt.toISOString() };
    },
    undefined,
    { scope: { organization_id: NOBODYS_ORGANIZATION }, actor: { type: 'SYSTEM', id: 'system', name: null } },
  );
};
