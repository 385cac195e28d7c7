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
    'Somebody asked for a new password for your account at {service}, from {source_ip}. If it was you, enter this code within {minutes} minutes:',
    { code: 'code' },
    'Or open this link, which no guesses of anybody use up:',
    { link: 'link', says: 'Set a new password' },
    'If it was not you, do nothing and give neither to anybody: your password stays what it is.',
  ],
});
