import { mailTemplate } from './mail-template.ts';

/** To the owner of an account, whenever its password changed. */
export const passwordChanged = mailTemplate({
  perHourMax: 10,
  sample: { service: 'https://governance.example.com', source_ip: '203.0.113.7', changed_at: '2026-03-01T09:30:00.000Z' },
  subject: 'Your password was changed',
  parts: [
    'The password of your account at {service} was changed on {changed_at}, from {source_ip}. All your other sessions have ended.',
    'If this was not you, reset your password on the sign-in page, and contact an administrator of your organization.',
  ],
});
