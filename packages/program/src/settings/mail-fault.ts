import type { SettingName } from '@svc/contract/tables/settings.ts';
import { isReachedFromHere } from './is-reached-from-here.ts';
import type { Value } from './parse-setting.ts';

const REMEDY =
  'set SMTP_URL to your mail server, such as SMTP_URL=smtps://user:password@mail.example:465, or SVC_MAIL=none to do without sign-ups, invitations and resets by mail';

/**
 * What keeps mails from going where they are meant to: a mail server that is not named, or an outbox on this machine for people who are not
 * on it, who would wait for codes that never come.
 */
export const mailFault = (read: (name: SettingName) => Value, isGiven: boolean): string | undefined => {
  const kind = read('SVC_MAIL');
  if (kind === 'smtp' && read('SMTP_URL') === undefined)
    return 'SVC_MAIL is "smtp", and SMTP_URL names no mail server: set it, such as SMTP_URL=smtps://user:password@mail.example:465.';
  if (kind !== 'outbox' || isReachedFromHere(read)) return undefined;
  return isGiven
    ? `SVC_MAIL is "outbox", which is read on this machine alone, and others reach this control plane (HOST, SVC_BASE_URL, SVC_TRUST_PROXY): ${REMEDY}.`
    : `Others than this machine reach this control plane (HOST, SVC_BASE_URL, SVC_TRUST_PROXY), and it has no mail server to send them codes and invitations: ${REMEDY}.`;
};
