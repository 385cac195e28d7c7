import { boxed } from '@svc/mail/rendering/boxed.ts';

type Shown = { readonly mail: { readonly to: string; readonly subject: string; readonly text: string } };

const isShown = (message: unknown): message is Shown => typeof message === 'object' && message !== null && 'mail' in message;

/** Shows a mail in the outbox; other messages of a plane are not for people. */
export const showMail = (message: unknown, show: (text: string) => void): void => {
  if (isShown(message)) show(boxed(message.mail));
};
