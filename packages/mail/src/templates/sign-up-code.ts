import { mailTemplate } from './mail-template.ts';

/** To the address of a sign-up, which is not proved yet: it contains nothing that the requester chose, such as a name. */
export const signUpCode = mailTemplate({
  perHourMax: 6,
  sample: { service: 'https://governance.example.com', code: '314159', minutes: '10', source_ip: '203.0.113.7' },
  subject: 'Your code to sign up',
  parts: [
    'A sign-up at {service} was requested with this address, from {source_ip}. If this was you, enter this code within {minutes} minutes:',
    { code: 'code' },
    'If this was not you, ignore this mail and do not share the code: no account is created without it.',
  ],
});
