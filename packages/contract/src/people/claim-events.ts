/** Events of the first proof of an account's address: everything enrolled before ends. */
export const CLAIM_EVENTS = [
  'user.password_changed',
  'user.mfa_factor_removed',
  'user.identity_unlinked',
  'session.revoked',
  'apikey.revoked',
  'webhook.subscription_updated',
  'notification_channel.disabled',
] as const;
