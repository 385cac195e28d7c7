import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { boundedListQuery, closedObject, id, timestamp } from '../rows/schema.ts';
import { CLAIM_EVENTS } from './claim-events.ts';

/** An identity at a provider, by which one person signs in to one organization. */
export const SsoIdentity = closedObject({
  id: id('Identity id (idn_).'),
  connection_id: Type.String(),
  connection_name: Type.String(),
  issuer: Type.String(),
  subject: Type.String({ description: 'Permanent identifier of the person at the provider (`sub`, or `NameID` with SAML).' }),
  created_at: timestamp,
});
export type SsoIdentity = Static<typeof SsoIdentity>;

const startQuery = closedObject({
  connection_id: Type.Optional(id('A connection.')),
  organization_id: Type.Optional(id('Organization; its oldest connection is used.')),
  domain: Type.Optional(Type.String({ maxLength: 253, description: 'Verified domain.' })),
  email: Type.Optional(Type.String({ maxLength: 254, description: 'E-mail address in a verified domain. Only its domain is used.' })),
  return_to: Type.Optional(Type.String({ maxLength: 500, description: 'Path of this service to open after the sign-in.' })),
});

export const returned = Type.String({ description: 'A redirect for browsers; other clients get the session as JSON.' });

/** Results of a return from a provider, by any binding. */
export const callback = {
  plane: 'control',
  area: 'people',
  method: 'GET',
  credential: 'none',
  budget: 'newcomer',
  wire: 'page',
  media: ['application/json'],
  redirects: 'Browsers are redirected to the page that they came for, or to the second factor.',
  result: returned,
  emits: [
    'user.login_succeeded',
    'user.login_failed',
    'user.identity_linked',
    'member.joined',
    'member.role_changed',
    'approval.cancelled',
    ...CLAIM_EVENTS,
  ],
  refuses: ['GONE', 'INVALID_CREDENTIALS', 'PERMISSION_DENIED', 'DEPENDENCY_UNAVAILABLE', 'INVALID_REQUEST', 'RATE_LIMITED'],
} as const;

export const ssoSignInEndpoints = {
  startSso: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'GET',
    path: '/v1/auth/sso/start',
    summary: 'Redirect to the provider of a connection, organization or domain. All unknown names get the same response.',
    credential: 'none',
    budget: 'newcomer',
    wire: 'page',
    media: [],
    redirects: 'To the provider.',
    query: startQuery,
    result: Type.String({ description: 'A redirect to the provider.' }),
    emits: [],
    refuses: ['NOT_FOUND', 'DEPENDENCY_UNAVAILABLE', 'INVALID_REQUEST', 'PERMISSION_DENIED'],
  }),
  ssoCallback: defineEndpoint({
    ...callback,
    path: '/v1/auth/sso/callback',
    summary:
      'Complete a sign-in: redirect endpoint for providers that send their issuer (RFC 9207). Works once, within ten minutes, in the same browser.',
  }),
  ssoCallbackOf: defineEndpoint({
    ...callback,
    path: '/v1/auth/sso/callback/{connectionId}',
    summary: 'Complete a sign-in: redirect endpoint for providers that do not send their issuer. The path identifies the connection.',
  }),
  listIdentities: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'GET',
    path: '/v1/auth/identities',
    summary: 'List the linked identities with which the signed-in user can sign in to this organization.',
    credential: 'person',
    budget: 'caller',
    permissions: { none: 'users can read their own sign-in methods' },
    wire: 'json',
    query: boundedListQuery,
    result: Type.Array(SsoIdentity),
    emits: [],
    refuses: [],
  }),
  linkIdentity: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'POST',
    path: '/v1/auth/identities',
    summary: 'Start linking a provider identity to the signed-in user. Requires a step-up. Open the returned URL in the same browser.',
    credential: 'person',
    budget: 'caller',
    permissions: { none: 'users can choose their own sign-in methods' },
    mayNeed: ['step_up'],
    wire: 'json',
    body: closedObject({ connection_id: id('Connection of the organization.') }),
    result: closedObject({
      authorization_url: Type.String({ description: 'Authorization URL of the provider.' }),
      expires_at: timestamp,
    }),
    emits: [],
    refuses: ['NOT_FOUND', 'DEPENDENCY_UNAVAILABLE', 'STEP_UP_REQUIRED'],
  }),
  unlinkIdentity: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'DELETE',
    path: '/v1/auth/identities/{identityId}',
    summary: 'Unlink an identity and end its sessions. The last sign-in method cannot be removed.',
    credential: 'person',
    budget: 'caller',
    permissions: { none: 'users can choose their own sign-in methods' },
    wire: 'json',
    result: SsoIdentity,
    emits: ['user.identity_unlinked', 'session.revoked'],
    refuses: ['NOT_FOUND', 'CONFLICT'],
  }),
};
