import type { MailTransport, OutgoingMail } from './mail-transport.ts';

/** Sends nothing: mails stay in the database for operators, and each is printed once. */
export const newOutboxTransport = (tell: (mail: OutgoingMail) => void): MailTransport => ({
  kind: 'outbox',
  send: async (mail) => void tell(mail),
});
