import { mailTemplate } from './mail-template.ts';

/** To the address of an account whose password is forgotten. */
export const passwordResetCode = mailTemplate({
  perHourMax: 6,
  sample: { service: 'https://governance.example.com', code: '271828', minutes: '10', source_ip: '203.0.113.7' },
  subject: 'Your code to set a new password',
  parts: [
    'Somebody asked for a new password for your account at {service}, from {source_ip}. If it was you, enter this code within {minutes} minutes:',
    { code: 'code' },
    'If it was not you, do nothing and give the code to nobody: your password stays what it is.',
  ],
});
