import { accountNotice } from './account-notice.ts';
import { addressProved } from './address-proved.ts';
import { invitation } from './invitation.ts';
import { invitationToConfirm } from './invitation-to-confirm.ts';
import { notification } from './notification.ts';
import { notifications } from './notifications.ts';
import { passwordChanged } from './password-changed.ts';
import { passwordResetByAdministrator } from './password-reset-by-administrator.ts';
import { passwordResetCode } from './password-reset-code.ts';
import { passwordResetUnknown } from './password-reset-unknown.ts';
import { securitySettingsChanged } from './security-settings-changed.ts';
import { signUpCode } from './sign-up-code.ts';
import { signUpKnown } from './sign-up-known.ts';

/** All mail templates, one file each. */
export const MAIL_TEMPLATES = {
  invitation,
  'account-notice': accountNotice,
  'address-proved': addressProved,
  'invitation-to-confirm': invitationToConfirm,
  notification,
  notifications,
  'password-changed': passwordChanged,
  'password-reset-by-administrator': passwordResetByAdministrator,
  'password-reset-code': passwordResetCode,
  'password-reset-unknown': passwordResetUnknown,
  'security-settings-changed': securitySettingsChanged,
  'sign-up-code': signUpCode,
  'sign-up-known': signUpKnown,
} as const;

export type MailName = keyof typeof MAIL_TEMPLATES;
/** A text for each value of the template. */
export type MailValues<Name extends MailName> = Readonly<Record<keyof (typeof MAIL_TEMPLATES)[Name]['sample'], string>>;

export const isMailName = (name: string): name is MailName => Object.hasOwn(MAIL_TEMPLATES, name);
