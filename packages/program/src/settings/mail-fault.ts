import type { SettingName } from '@svc/contract/tables/settings.ts';
import { isReachedFromHere } from './is-reached-from-here.ts';
import type { Value } from './parse-setting.ts';

const REMEDY =
  'set SMTP_URL to your mail server, such as SMTP_URL=smtps://user:password@mail.example:465, or SVC_MAIL=none to disable sign-ups, invitations and password resets by mail';

/**
 * Returns why mails would not reach their recipients: no mail server is configured, or the outbox is on this machine while users are not,
 * who
 * would wait for codes that never arrive.
 */
export const findMailFault = (read: (name: SettingName) => Value, isGiven: boolean): string | undefined => {
  const kind = read('SVC_MAIL');
  if (kind === 'smtp' && read('SMTP_URL') === undefined)
    return 'SVC_MAIL is "smtp", but SMTP_URL is not set. Set it to your mail server, such as SMTP_URL=smtps://user:password@mail.example:465.';
  if (kind !== 'outbox' || isReachedFromHere(read)) return undefined;
  return isGiven
    ? `SVC_MAIL is "outbox", which can be read only on this machine, but this control plane is reachable from other machines (HOST, SVC_BASE_URL, SVC_TRUST_PROXY): ${REMEDY}.`
    : `This control plane is reachable from other machines (HOST, SVC_BASE_URL, SVC_TRUST_PROXY), but has no mail server for codes and invitations: ${REMEDY}.`;
};
