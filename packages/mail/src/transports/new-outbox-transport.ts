import type { MailTransport, OutgoingMail } from './mail-transport.ts';

/** Sends nothing: mails stay where they are, for whoever may read the database, and `tell` shows each once. */
export const newOutboxTransport = (tell: (mail: OutgoingMail) => void): MailTransport => ({
  kind: 'outbox',
  send: async (mail) => void tell(mail),
});
