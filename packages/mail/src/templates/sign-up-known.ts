import { mailTemplate } from './mail-template.ts';

/** To the owner of an account whose address somebody tried to sign up with. Whoever tried learns nothing of it. */
export const signUpKnown = mailTemplate({
  perHourMax: 2,
  sample: { service: 'https://governance.example.com', source_ip: '203.0.113.7' },
  subject: 'Somebody tried to sign up with your address',
  parts: [
    'Somebody asked to sign up at {service} with this address, from {source_ip}. You have an account there already, so nothing was done.',
    'If it was you, sign in instead, or ask for a new password there. If it was not, you need do nothing: whoever tried was not told that there is an account.',
  ],
});
