import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { boundedListQuery, closedObject, enumSchema, id, name, nullable, timestamp } from '../rows/schema.ts';
import { secret } from '../rows/secret.ts';
import { LIMITS } from '../tables/limits.ts';

const { sso } = LIMITS;

export const SSO_KINDS = ['OIDC', 'SAML'] as const;
export const SSO_STATUSES = ['ACTIVE', 'DISABLED'] as const;
export const EMAIL_TRUSTS = ['CLAIM', 'VERIFIED_DOMAINS'] as const;
export type EmailTrust = (typeof EMAIL_TRUSTS)[number];

const domain = Type.String({
  minLength: 3,
  maxLength: 253,
  pattern: '^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])$',
  examples: ['example.com'],
  description: 'E-mail domain in ASCII form. Subdomains are not included.',
});

const claimName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Claim of the ID token or the userinfo response, such as groups; with SAML, the name of an attribute.',
});

const certificate = Type.String({
  minLength: 100,
  maxLength: 8_000,
  description: 'X.509 certificate with an RSA key of 2048 bits or more, as PEM or its base64 content.',
});

const certificates = Type.Array(certificate, {
  minItems: 1,
  maxItems: sso.samlCertificatesMax,
  description: 'Signing certificates of the provider; two during a rotation.',
});
const ssoUrl = Type.String({
  minLength: 8,
  maxLength: 1_000,
  description: 'With SAML: sign-in URL of the provider (HTTP-Redirect binding).',
});

export const RoleMapping = closedObject({
  value: Type.String({ minLength: 1, maxLength: 300, description: 'Exact value of the claim.' }),
  role_id: id('Mapped role, except owner. The caller must have all permissions of the role.'),
});

const settings = {
  name: name('Display name.'),
  client_id: Type.String({ minLength: 1, maxLength: 300, description: 'With OpenID Connect: client id at the provider.' }),
  scopes: Type.Array(Type.String({ pattern: '^[!#-\\[\\]-~]{1,100}$' }), {
    maxItems: 20,
    description: 'Requested scopes; openid is always included.',
  }),
  domains: Type.Array(domain, {
    maxItems: sso.domainsMax,
    uniqueItems: true,
    description: 'E-mail domains. Each must be verified before it applies.',
  }),
  jit: Type.Boolean({
    description: 'True if a new user with a verified e-mail address in a verified domain becomes a member at the first sign-in.',
  }),
  default_role_id: nullable(id('Role of users without a mapped role; null if these users are refused.')),
  role_claim: nullable(claimName),
  role_mapping: Type.Array(RoleMapping, {
    maxItems: sso.roleMappingsMax,
    description: 'Mapping of claim values to roles. The first match applies at each sign-in. The owner role is never assigned or removed.',
  }),
  email_trust: enumSchema(
    EMAIL_TRUSTS,
    'Condition for trusting the e-mail address of a new user, which must be in a verified domain. CLAIM: the provider states email_verified (default with OpenID Connect). VERIFIED_DOMAINS: also without that claim, for an issuer with a single tenant (default with SAML).',
  ),
  trusts_mfa: Type.Boolean({
    description: 'True if a second factor that the provider reports (`amr`) counts as a second factor of this service.',
  }),
};

export const SsoConnection = closedObject({
  id: id('Connection id (sso_).'),
  kind: enumSchema(SSO_KINDS),
  status: enumSchema(SSO_STATUSES),
  issuer: Type.String(),
  ...settings,
  client_id: nullable(Type.String()),
  sso_url: nullable(Type.String()),
  certificates: Type.Array(
    closedObject({
      sha256: Type.String({ description: 'Fingerprint, in hexadecimal digits.' }),
      not_before: timestamp,
      not_after: timestamp,
      pem: Type.String(),
    }),
    { description: 'With SAML: certificates of the signing keys of the provider. Each is accepted during its validity period.' },
  ),
  service_provider: nullable(
    closedObject(
      { entity_id: Type.String(), acs_url: Type.String() },
      'With SAML: values to register at the provider. The metadata is at entity_id.',
    ),
  ),
  has_client_secret: Type.Boolean(),
  domains: Type.Array(
    closedObject({
      domain: Type.String(),
      verified_at: nullable(timestamp),
      record: closedObject(
        { type: enumSchema(['TXT']), name: Type.String(), value: Type.String() },
        'DNS record to publish for verification.',
      ),
    }),
  ),
  enforce: Type.Boolean(),
  break_glass_user_id: nullable(Type.String()),
  redirect_uris: Type.Array(Type.String(), {
    description:
      'Redirect URLs to register at the provider: the first if it sends its issuer (RFC 9207), otherwise the second. With SAML, the acs_url.',
  }),
  created_by: Type.String(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type SsoConnection = Static<typeof SsoConnection>;

const { name: connectionName, client_id, ...rest } = settings;
const clientSecret = Type.String({ minLength: 1, maxLength: 1_000, description: 'Stored encrypted and never returned.' });

const changeRefusals = ['NOT_FOUND', 'PERMISSION_DENIED', 'VALIDATION_FAILED', 'ALREADY_EXISTS'] as const;

/** Sign-in settings, which no API key may change. */
const SSO_AUTOMATION = {
  operation: 'STEP_UP',
  members: {
    enforce: 'STEP_UP',
    trusts_mfa: 'STEP_UP',
    email_trust: 'STEP_UP',
    domains: 'STEP_UP',
    client_id: 'STEP_UP',
    client_secret: 'STEP_UP',
    certificates: 'STEP_UP',
    sso_url: 'STEP_UP',
    break_glass_user_id: 'STEP_UP',
    status: 'STEP_UP',
  },
} as const;

export const ssoEndpoints = {
  listSsoConnections: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'GET',
    path: '/v1/sso/connections',
    summary: 'List single sign-on connections, oldest first, without their secrets.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['sso:read'],
    query: boundedListQuery,
    result: Type.Array(SsoConnection),
    emits: [],
    refuses: [],
  }),
  createSsoConnection: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'POST',
    path: '/v1/sso/connections',
    summary:
      'Create a connection to an OpenID Connect provider, which is discovered at the first test or sign-in, or to a SAML 2.0 provider if SVC_SAML is set.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['sso:update'],
    body: closedObject({
      kind: Type.Optional(enumSchema(SSO_KINDS)),
      name: connectionName,
      issuer: Type.String({
        minLength: 3,
        maxLength: 1_000,
        examples: ['https://login.example.com'],
        description: 'Exact issuer of the provider; https, or http on this machine. With SAML, its entity id. Cannot be changed later.',
      }),
      client_id: Type.Optional(client_id),
      sso_url: Type.Optional(ssoUrl),
      certificates: Type.Optional(certificates),
      ...secret('client_secret', Type.Optional(clientSecret)),
      ...Type.Partial(closedObject(rest)).properties,
    }),
    result: SsoConnection,
    status: 201,
    emits: ['sso.connection_updated'],
    refuses: changeRefusals,
    automation: SSO_AUTOMATION,
  }),
  updateSsoConnection: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'PATCH',
    path: '/v1/sso/connections/{connectionId}',
    summary: 'Change a connection. Disabling it prevents sign-ins and ends its sessions.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['sso:update'],
    body: closedObject({
      ...Type.Partial(closedObject(settings)).properties,
      ...secret('client_secret', Type.Optional(nullable(clientSecret))),
      sso_url: Type.Optional(ssoUrl),
      certificates: Type.Optional(certificates),
      status: Type.Optional(enumSchema(SSO_STATUSES)),
      enforce: Type.Optional(
        Type.Boolean({ description: 'True if members of its verified domains must use this connection; requires a verified domain.' }),
      ),
      break_glass_user_id: Type.Optional(nullable(id('Owner who can still sign in by other methods while the connection is enforced.'))),
    }),
    result: SsoConnection,
    emits: ['sso.connection_updated'],
    refuses: changeRefusals,
    automation: SSO_AUTOMATION,
  }),
  deleteSsoConnection: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'DELETE',
    path: '/v1/sso/connections/{connectionId}',
    summary: 'Delete a connection, its linked identities and its sessions. Members remain.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['sso:update'],
    result: SsoConnection,
    emits: ['sso.connection_updated'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED'],
  }),
  testSsoConnection: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'POST',
    path: '/v1/sso/connections/{connectionId}/test',
    summary: 'Test the provider, and check the DNS record of each unverified domain.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['sso:update'],
    body: closedObject({}),
    bodyOptional: true,
    result: closedObject({
      ok: Type.Boolean({ description: 'True if the provider can be used.' }),
      fault: nullable(Type.String({ description: 'Faults in the response of the provider; with SAML, in its certificates.' })),
      redirect_uri: nullable(Type.String({ description: 'Redirect URL to register at this provider.' })),
      domains: Type.Array(closedObject({ domain: Type.String(), verified: Type.Boolean(), fault: nullable(Type.String()) })),
      connection: SsoConnection,
    }),
    emits: ['sso.connection_updated'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED'],
  }),
};
