import { mailTemplate } from './mail-template.ts';

/** To the owner of an account, about an event of it; `what` is one of a fixed list of sentences, never free text. */
export const accountNotice = mailTemplate({
  perHourMax: 20,
  sample: {
    service: 'https://governance.example.com',
    what: 'A second factor was added to your account.',
    at: '2026-03-01T09:30:00.000Z',
    source_ip: '203.0.113.7',
  },
  subject: 'Security change in your account',
  parts: [
    '{what} It was on {at}, at {service}, from {source_ip}.',
    'If you made this change, no action is needed. If not, change your password, end all other sessions, and contact an administrator of your organization.',
  ],
});
