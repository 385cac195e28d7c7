import { invitation } from './invitation.ts';
import { signUpCode } from './sign-up-code.ts';
import { signUpKnown } from './sign-up-known.ts';

/** Every mail that is sent, one file each. */
export const MAIL_TEMPLATES = {
  invitation,
  'sign-up-code': signUpCode,
  'sign-up-known': signUpKnown,
} as const;

export type MailName = keyof typeof MAIL_TEMPLATES;
/** A text for each value that the template names. */
export type MailValues<Name extends MailName> = Readonly<Record<keyof (typeof MAIL_TEMPLATES)[Name]['sample'], string>>;

export const isMailName = (name: string): name is MailName => Object.hasOwn(MAIL_TEMPLATES, name);
