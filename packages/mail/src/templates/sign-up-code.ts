import { mailTemplate } from './mail-template.ts';

/**
 * To the address that a sign-up names, which is not proved yet: so it holds nothing that whoever asked could choose, as their name would be.
 */
export const signUpCode = mailTemplate({
  perHourMax: 6,
  sample: { service: 'https://governance.example.com', code: '314159', minutes: '10', source_ip: '203.0.113.7' },
  subject: 'Your code to sign up',
  parts: [
    'Somebody asked to sign up at {service} with this address, from {source_ip}. If it was you, enter this code within {minutes} minutes:',
    { code: 'code' },
    'If it was not you, do nothing and give the code to nobody: without it there will be no account.',
  ],
});
