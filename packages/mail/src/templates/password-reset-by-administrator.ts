import { mailTemplate } from './mail-template.ts';

/** To a member whose password an administrator took away. */
export const passwordResetByAdministrator = mailTemplate({
  perHourMax: 6,
  sample: { service: 'https://governance.example.com', organization: 'Example Ltd', code: '161803', minutes: '10' },
  subject: 'Set a new password',
  parts: [
    'An administrator of {organization} at {service} asks you to set a new password; the old one does not let you in there any more. Enter this code within {minutes} minutes:',
    { code: 'code' },
    'Later, ask for another code where you sign in. The administrator sees neither the code nor your password.',
  ],
});
