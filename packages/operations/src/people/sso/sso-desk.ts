import type { MailDesk } from '../mail/mail-desk.ts';

/** Seals client secrets, mails owners and names the addresses of this service. */
export type SsoDesk = {
  readonly mail: MailDesk;
  readonly sso: { readonly seal: (secret: string, place: { readonly organization_id: string; readonly id: string }) => Buffer };
  readonly urls: { readonly base: string };
};
