import type { RenderedMail } from '../rendering/render-mail.ts';

/** A mail to be sent: `id` is the same at each attempt, so that a mail server can detect a duplicate. */
export type OutgoingMail = RenderedMail & { readonly id: string; readonly to: string };

/** A fixed word for why a mail was refused, without any of its content; with `isFinal` it is not retried. */
export type SendFault = {
  readonly fault: 'unreachable' | 'no response in time' | 'no encryption' | 'authentication failed' | 'put off' | 'refused' | 'broken off';
  /** Reply code of the mail server, such as 550; null if there was no reply. */
  readonly smtpCode: number | null;
  readonly isFinal: boolean;
};

/** The destination of mails. */
export type MailTransport = {
  readonly kind: 'smtp' | 'outbox';
  /** Resolves to undefined once the server accepted the mail. Never throws for what the other side does, and ends soon after `signal`. */
  readonly send: (mail: OutgoingMail, signal: AbortSignal) => Promise<SendFault | undefined>;
};
