import type { MailService } from '../mail/mail-service.ts';

/** Seals client secrets, mails owners and names the addresses of this service. */
export type SsoService = {
  readonly mail: MailService;
  readonly sso: { readonly seal: (secret: string, place: { readonly organization_id: string; readonly id: string }) => Buffer };
  readonly urls: { readonly base: string };
};
