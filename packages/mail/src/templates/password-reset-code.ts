import { mailTemplate } from './mail-template.ts';

/** To the address of an account whose password is forgotten. */
export const passwordResetCode = mailTemplate({
  perHourMax: 6,
  sample: {
    service: 'https://governance.example.com',
    code: '271828',
    minutes: '10',
    source_ip: '203.0.113.7',
    link: 'https://governance.example.com/reset-password#email=ada%40example.com&code=svc_forgot_314159',
  },
  subject: 'Your code to set a new password',
  parts: [
    'A new password was requested for your account at {service}, from {source_ip}. If this was you, enter this code within {minutes} minutes:',
    { code: 'code' },
    'Or open this link, which cannot be blocked by wrong guesses:',
    { link: 'link', says: 'Set a new password' },
    'If this was not you, ignore this mail and share neither of them: your password does not change.',
  ],
});
