import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { boundedListQuery, closedObject, enumSchema, id, name, nullable, timestamp } from '../rows/schema.ts';
import { secret } from '../rows/secret.ts';
import { LIMITS } from '../tables/limits.ts';
import { PASSWORD_LENGTH_RULE } from '../tables/password-rule.ts';
import { FACTOR_METHODS } from '../tables/proofs.ts';
import { oneTimeCode, passkeyAssertion, recoveryCode } from './proofs.ts';

/**
 * Pattern part for spaces, control characters and invisible characters, which would make equal-looking addresses differ; also characters
 * without a form of their own.
 */
const UNSEEN = '\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u3164\\ufe00-\\ufe0f\\uffa0\\u{e0100}-\\u{e01ef}';
const ADDRESS_PART = `[^@\\s\\p{C}${UNSEEN}]+`;

export const email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: `^${ADDRESS_PART}@${ADDRESS_PART}\\.${ADDRESS_PART}$`,
  examples: ['ada@example.com'],
  description: 'E-mail address, compared case-insensitively.',
});
const { charsBesideFactorMin, charsMax } = LIMITS.passwords;
/** Identifies the schema of a password for the validator, which reports one sentence for either length bound. */
export const NEW_PASSWORD_SCHEMA_ID = `${PASSWORD_LENGTH_RULE} Of any kind, and none that is common or easily guessed.`;
/** A new password. The minimum without a second factor is checked by the operation, which knows of factors. */
export const newPassword = Type.String({
  minLength: charsBesideFactorMin,
  maxLength: charsMax,
  description: NEW_PASSWORD_SCHEMA_ID,
});
export const password = Type.String({ minLength: 1, maxLength: charsMax });
export const setupToken = Type.String({
  maxLength: 256,
  description: 'Token of the set-up link that the first start prints. Required if sign-up is not open; valid for one organization.',
});

export const Person = closedObject({ id: id('User id (usr_).'), email: Type.String(), name: Type.String() });
const OrganizationName = closedObject({ id: id('Organization id (org_).'), name: Type.String() });
export const SessionScope = closedObject({
  organization_id: Type.String(),
  workspace_id: nullable(Type.String()),
  workspace_ids: Type.Optional(
    Type.Array(Type.String(), { description: 'Present if the caller is limited to a set of workspaces other than exactly one.' }),
  ),
  environment_id: nullable(Type.String()),
});

const sessionMembers = {
  expires_at: timestamp,
  user: Person,
  organization: OrganizationName,
  scope: SessionScope,
  permissions: Type.Array(Type.String(), { description: 'Effective permissions.' }),
};
/** Response of every sign-in; `token` is shown once. */
export const NewSession = closedObject({
  ...secret(
    'token',
    Type.String({
      description: 'Session token, returned once. The pages of the service get it as a cookie, and csrf_token instead of token.',
    }),
  ),
  ...sessionMembers,
});
export type NewSession = Static<typeof NewSession>;

/** Response of a sign-in that needs a second factor: POST /v1/auth/mfa/verify completes it. */
export const MfaChallenge = closedObject({
  mfa_required: Type.Literal(true),
  ...secret('mfa_challenge', Type.String({ description: 'Challenge token, returned once. Valid once, from the network of the sign-in.' })),
  methods: Type.Array(enumSchema(FACTOR_METHODS), { description: 'Methods that complete the challenge.' }),
  expires_at: timestamp,
});
export type MfaChallenge = Static<typeof MfaChallenge>;

/** Response after a first factor. */
export const SignInAnswer = Type.Union([NewSession, MfaChallenge]);

/** The authoritative statement of what the caller may do. An API key has no `user`. */
export const Session = closedObject({
  ...sessionMembers,
  user: nullable(Person),
  principal: closedObject({ type: Type.String(), id: Type.String(), name: Type.String() }),
  step_up_expires_at: nullable(timestamp),
  amr: Type.Array(Type.String(), { description: 'Authentication methods of the session; empty for an API key.' }),
  vouched_by: nullable(
    id(
      'Organization whose identity provider authenticated this session. The session is valid only in that organization. Null for other sessions.',
    ),
  ),
  mfa_required: Type.Boolean({ description: 'True if the session has no access until it is verified with a second factor.' }),
  ...secret('csrf_token', Type.Optional(Type.String({ description: 'Present for cookie sessions.' }))),
});
export type Session = Static<typeof Session>;

/** One organization of a person, as they see it. */
const OwnOrganization = closedObject({
  id: id('Organization id (org_).'),
  name: Type.String(),
  role: closedObject({ id: Type.String(), name: Type.String() }),
  current: Type.Boolean({ description: 'True for the organization of this session.' }),
});

export const authEndpoints = {
  signup: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'POST',
    path: '/v1/auth/signup',
    summary:
      'Create an organization and its first owner in one transaction. If sign-up is not open, the first organization requires the token of the set-up link and no other can be created.',
    credential: 'none',
    budget: 'newcomer',
    wire: 'json',
    session: 'opens',
    body: Type.Object(
      {
        email,
        ...secret('password', newPassword),
        name: name('Name of the user.'),
        organizationName: Type.Optional(name('Name of the organization.')),
        organization_name: Type.Optional(name('Same as organizationName.')),
        ...secret('setup_token', Type.Optional(setupToken)),
      },
      { additionalProperties: false, anyOf: [{ required: ['organizationName'] }, { required: ['organization_name'] }] },
    ),
    result: NewSession,
    status: 201,
    emits: ['organization.created', 'member.joined', 'user.login_succeeded'],
    refuses: ['ALREADY_EXISTS', 'VALIDATION_FAILED', 'RATE_LIMITED', 'PERMISSION_DENIED'],
  }),
  login: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'POST',
    path: '/v1/auth/login',
    summary: 'Exchange an e-mail and a password for a session, or for a challenge if a second factor is enrolled.',
    credential: 'none',
    budget: 'sign_in',
    wire: 'json',
    session: 'opens',
    body: closedObject({
      email: Type.String({ minLength: 1, maxLength: 254 }),
      ...secret('password', password),
      organization_id: Type.Optional(id('Organization to sign in to. Defaults to the one that the user joined first.')),
    }),
    result: SignInAnswer,
    byAnyClock: true,
    emits: ['user.login_succeeded', 'user.login_failed'],
    refuses: ['INVALID_CREDENTIALS', 'RATE_LIMITED', 'PERMISSION_DENIED'],
  }),
  logout: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'POST',
    path: '/v1/auth/logout',
    summary: 'Revoke the current session and all sessions switched to or from it.',
    credential: 'person',
    budget: 'emergency',
    permissions: { none: 'users can end their own session' },
    wire: 'json',
    session: 'ends',
    body: closedObject({
      terminals: Type.Optional(Type.Boolean({ description: 'Also ends all terminal sessions that were approved in this session.' })),
    }),
    bodyOptional: true,
    result: closedObject({ revoked: Type.Boolean() }),
    byAnyClock: true,
    beforeFactor: true,
    emits: ['user.logged_out'],
    refuses: [],
  }),
  getSession: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'GET',
    path: '/v1/auth/session',
    summary: 'Get the current session: user, scope and effective permissions.',
    credential: 'caller',
    budget: 'caller',
    permissions: { none: 'returns the permissions of the caller' },
    wire: 'json',
    session: 'tells',
    result: Session,
    beforeFactor: true,
    emits: [],
    refuses: [],
  }),
  listOrganizations: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'GET',
    path: '/v1/auth/organizations',
    summary: 'List the organizations of the signed-in user, by time of joining.',
    credential: 'person',
    budget: 'caller',
    permissions: { none: 'users can read their own memberships' },
    wire: 'json',
    query: boundedListQuery,
    result: Type.Array(OwnOrganization),
    beforeFactor: true,
    emits: [],
    refuses: [],
  }),
  switchOrganization: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'POST',
    path: '/v1/auth/switch',
    summary: 'Create a session in another organization of the same user. It ends with this one and starts without a step-up.',
    credential: 'person',
    budget: 'caller',
    permissions: { none: 'users can switch to organizations that they belong to' },
    wire: 'json',
    session: 'opens',
    body: closedObject({ organization_id: id('Organization that the user belongs to.') }),
    result: NewSession,
    beforeFactor: true,
    emits: ['user.login_succeeded'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED'],
  }),
  stepUp: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'POST',
    path: '/v1/auth/step-up',
    summary:
      'Re-authenticate for permissions that require a step-up: with a second factor if one is enrolled, otherwise with the password.',
    credential: 'person',
    budget: 'sign_in',
    permissions: { none: 'signed-in users can re-authenticate' },
    wire: 'json',
    body: closedObject({
      ...secret('password', Type.Optional(password)),
      ...secret('code', Type.Optional(oneTimeCode)),
      ...secret('recovery_code', Type.Optional(recoveryCode)),
      passkey: Type.Optional(passkeyAssertion),
    }),
    result: closedObject({ step_up_expires_at: timestamp }),
    emergency: true,
    beforeFactor: true,
    emits: ['user.step_up_completed', 'user.login_failed', 'user.logged_out'],
    refuses: ['INVALID_CREDENTIALS', 'RATE_LIMITED', 'VALIDATION_FAILED'],
  }),
  requestStepUp: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'POST',
    path: '/v1/auth/step-up/requests',
    summary:
      'Request a step-up that the user gives in a browser, such as with a passkey. Replaces an earlier request of the session; valid for five minutes.',
    credential: 'person',
    budget: 'emergency',
    permissions: { none: 'users can re-authenticate for their own sessions' },
    wire: 'json',
    body: closedObject({}),
    bodyOptional: true,
    result: closedObject({
      ...secret(
        'user_code',
        Type.String({ description: 'Code to show in the terminal; the user compares it with the one in the browser.' }),
      ),
      verification_uri: Type.String({ description: 'URL to open in a browser.' }),
      poll_after_seconds: Type.Integer({ description: 'Interval at which to read the session, whose step_up_expires_at changes.' }),
      expires_at: timestamp,
    }),
    status: 201,
    emergency: true,
    emits: [],
    refuses: ['UNAUTHENTICATED'],
  }),
};
