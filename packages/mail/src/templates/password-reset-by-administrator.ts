import { mailTemplate } from './mail-template.ts';

/** To a member whose password an administrator removed. */
export const passwordResetByAdministrator = mailTemplate({
  perHourMax: 6,
  sample: {
    service: 'https://governance.example.com',
    organization: 'Example Ltd',
    code: '161803',
    minutes: '10',
    link: 'https://governance.example.com/reset-password#email=ada%40example.com&code=svc_forgot_161803',
  },
  subject: 'Set a new password',
  parts: [
    'An administrator of {organization} at {service} reset your password. Your old password no longer works there. To set a new one, enter this code within {minutes} minutes:',
    { code: 'code' },
    'Or open this link, which cannot be blocked by wrong guesses:',
    { link: 'link', says: 'Set a new password' },
    'You can also request another code on the sign-in page later. The administrator cannot see the code or your password.',
  ],
});
