import type { RenderedMail } from '../rendering/render-mail.ts';

/** A mail as it leaves: `id` is the same at each attempt, so that a mail server can tell a second one of the same. */
export type OutgoingMail = RenderedMail & { readonly id: string; readonly to: string };

/** Why a mail was not taken, in a word that holds nothing of it; with `isFinal` it is not tried again. */
export type SendFault = {
  readonly fault: 'unreachable' | 'no response in time' | 'no encryption' | 'authentication failed' | 'put off' | 'refused' | 'broken off';
  /** The answer of the mail server, as 550; null where there was none. */
  readonly smtpCode: number | null;
  readonly isFinal: boolean;
};

/** Where mails go. */
export type MailTransport = {
  readonly kind: 'smtp' | 'outbox';
  /** Undefined once the mail is taken over. Never throws for what the other side does, and ends soon after `signal`. */
  readonly send: (mail: OutgoingMail, signal: AbortSignal) => Promise<SendFault | undefined>;
};
