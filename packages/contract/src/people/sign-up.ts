import { Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, name, timestamp } from '../rows/schema.ts';
import { secret } from '../rows/secret.ts';
import { LIMITS } from '../tables/limits.ts';
import { email, NewSession, newPassword, setupToken } from './auth.ts';
import { mailTransport } from './outbox.ts';

const common = { plane: 'control', area: 'people', method: 'POST', credential: 'none', wire: 'json' } as const;

export const signUpEndpoints = {
  checkSignup: defineEndpoint({
    ...common,
    path: '/v1/auth/signup/check',
    summary:
      'Check before sign-in whether an organization can be created: with a set-up token, whether the token is valid; without one, whether sign-up is open and codes can be mailed.',
    budget: 'newcomer',
    body: closedObject({ ...secret('setup_token', Type.Optional(setupToken)) }),
    bodyOptional: true,
    result: closedObject({ open: Type.Literal(true) }, 'Returned if sign-up is possible; otherwise the request is refused.'),
    writesNothing: 'always',
    emits: [],
    refuses: ['PERMISSION_DENIED', 'UNPROCESSABLE', 'GONE'],
  }),
  startSignup: defineEndpoint({
    ...common,
    path: '/v1/auth/signup/start',
    summary:
      'Mail a six-digit code for signing up with an address. The response is the same for an existing account; its owner gets a mail.',
    budget: 'mail',
    body: closedObject({
      name: name('Name of the user.'),
      email,
      ...secret('password', newPassword),
      organizationName: Type.Optional(name('Name of the organization. Defaults to a name derived from that of the user.')),
      organization_name: Type.Optional(name('Same as organizationName.')),
      ...secret('setup_token', Type.Optional(setupToken)),
    }),
    result: closedObject({ expires_at: timestamp, mail_transport: mailTransport }, 'Expiry of the code, and the destination of its mail.'),
    emits: [],
    refuses: ['VALIDATION_FAILED', 'RATE_LIMITED', 'PERMISSION_DENIED', 'UNPROCESSABLE'],
  }),
  verifySignup: defineEndpoint({
    ...common,
    path: '/v1/auth/signup/verify',
    summary: 'Verify the address with the mailed code and create the organization, its owner and their session.',
    budget: 'guess',
    body: closedObject({
      email,
      ...secret('code', Type.String({ pattern: '^[0-9]{6}$', description: 'Six ASCII digits.' })),
      ...secret(
        'password',
        Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: LIMITS.passwords.charsMax,
            description: 'Sign-up id from the start of the sign-up. Required if others also started a sign-up with the same address.',
          }),
        ),
      ),
    }),
    session: 'opens',
    result: NewSession,
    status: 201,
    emits: ['organization.created', 'member.joined', 'user.login_succeeded'],
    refuses: ['INVALID_CREDENTIALS', 'VALIDATION_FAILED', 'RATE_LIMITED', 'PERMISSION_DENIED', 'ALREADY_EXISTS'],
  }),
};
