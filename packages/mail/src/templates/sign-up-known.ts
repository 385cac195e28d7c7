import { mailTemplate } from './mail-template.ts';

/** To the owner of an account whose address was used for another sign-up. The requester does not learn that the account exists. */
export const signUpKnown = mailTemplate({
  perHourMax: 2,
  sample: { service: 'https://governance.example.com', source_ip: '203.0.113.7' },
  subject: 'Sign-up attempt with your address',
  parts: [
    'A sign-up at {service} was requested with this address, from {source_ip}. You already have an account, so nothing was changed.',
    'If this was you, sign in instead, or reset your password on the sign-in page. If not, ignore this mail: the sender of the request did not learn that the account exists.',
  ],
});
