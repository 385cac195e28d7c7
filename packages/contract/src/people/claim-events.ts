/** What is told where somebody is the first to prove the address of an account: whatever was enrolled in it before ends. */
export const CLAIM_EVENTS = [
  'user.password_changed',
  'user.mfa_factor_removed',
  'user.identity_unlinked',
  'session.revoked',
  'apikey.revoked',
  'webhook.subscription_updated',
  'notification_channel.disabled',
] as const;
