import { Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, id, timestamp } from '../rows/schema.ts';
import { secret } from '../rows/secret.ts';
import { SECRET_PREFIXES } from '../tables/ids.ts';
import { LIMITS } from '../tables/limits.ts';
import { email, newPassword, password } from './auth.ts';
import { CLAIM_EVENTS } from './claim-events.ts';
import { mailTransport } from './outbox.ts';

const resetCode = Type.String({
  pattern: `^([0-9]{${LIMITS.codes.digitCount}}|(${SECRET_PREFIXES.password_link}|${SECRET_PREFIXES.password_reset})[0-9A-Za-z]{49})$`,
  description: 'Digits or link secret from the mail, or the one-time secret that the operator received.',
});

export const passwordEndpoints = {
  changePassword: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'POST',
    path: '/v1/auth/password',
    summary: 'Change your password, or set one in addition to single sign-on. Ends all your other sessions in all organizations.',
    credential: 'person',
    budget: 'guess',
    permissions: { none: 'users can change their own password' },
    wire: 'json',
    body: closedObject({ ...secret('current_password', password), ...secret('new_password', newPassword) }),
    result: closedObject({ password_changed_at: timestamp }),
    emits: ['user.password_changed', 'user.login_failed', 'user.logged_out'],
    refuses: ['INVALID_CREDENTIALS', 'RATE_LIMITED', 'VALIDATION_FAILED', 'PERMISSION_DENIED'],
  }),
  startPasswordReset: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'POST',
    path: '/v1/auth/password/reset/start',
    summary: 'Mail a password reset code. The response does not reveal whether the account exists.',
    credential: 'none',
    budget: 'mail',
    wire: 'json',
    body: closedObject({ email }),
    result: closedObject({ expires_at: timestamp, mail_transport: mailTransport }),
    emits: [],
    refuses: ['UNPROCESSABLE'],
  }),
  resetPassword: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'POST',
    path: '/v1/auth/password/reset',
    summary:
      'Reset a forgotten password with a code. All sessions of the user end; sign in afterwards, with the second factor if one is enrolled.',
    credential: 'none',
    budget: 'guess',
    wire: 'json',
    body: closedObject({ email, ...secret('code', resetCode), ...secret('new_password', newPassword) }),
    result: closedObject({ password_changed_at: timestamp }),
    emits: ['user.login_failed', ...CLAIM_EVENTS],
    refuses: ['INVALID_CREDENTIALS', 'RATE_LIMITED', 'VALIDATION_FAILED'],
  }),
  resetMemberPassword: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'POST',
    path: '/v1/members/{memberId}/reset-password',
    summary:
      'Reset the password of a member for this organization: ends their sessions here and mails them a code. You must have all their permissions; the code and the password are not shown to you.',
    credential: 'person',
    budget: 'caller',
    wire: 'json',
    permissions: ['member:update'],
    body: closedObject({}),
    bodyOptional: true,
    result: closedObject({ member_id: id('Member id (mem_).'), code_expires_at: timestamp, mail_transport: mailTransport }),
    emits: ['session.revoked'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'RATE_LIMITED', 'UNPROCESSABLE'],
  }),
};
