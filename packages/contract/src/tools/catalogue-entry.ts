import { type Static, Type } from 'typebox';
import { CREDENTIAL_SCHEMES, EXTRA_POSITIONS, Placement } from '../credentials/credentials.ts';
import { CLIENT_AUTHENTICATIONS, OAUTH_GRANTS } from '../credentials/oauth.ts';
import { SIDE_EFFECTS } from '../risk/flow-words.ts';
import { closedObject, enumSchema, nullable } from '../rows/schema.ts';
import { HTTP_METHODS, RISK_RATINGS } from '../tables/vocabulary.ts';

/** Categories that applications are grouped by. */
export const APPLICATION_CATEGORIES = [
  ...(['WORK', 'MESSAGES', 'CUSTOMERS', 'MONEY', 'CODE', 'OPERATIONS', 'DATA', 'FILES', 'MARKETING', 'AI', 'MEDIA'] as const),
  'IDENTITY',
] as const;
export type ApplicationCategory = (typeof APPLICATION_CATEGORIES)[number];

/** Why an action is performed by the automation platform and not by the service. */
export const PLATFORM_REASONS = [
  ...(['NOT_A_WEB_API', 'SIGNED_FOR_HOST', 'TOKEN_EXCHANGED_FIRST', 'NO_ENDPOINT', 'KEY_IN_ADDRESS', 'NOT_DESCRIBED'] as const),
] as const;
export type PlatformReason = (typeof PLATFORM_REASONS)[number];

export const CAPABILITIES = ['ALL', 'SOME', 'NOT_AVAILABLE'] as const;

const word = (description: string, maxLength = 120) => Type.String({ minLength: 1, maxLength, description });

/** A value that a person enters to set an application up. */
export const EnteredValue = closedObject({
  name: Type.String({ pattern: '^[a-z][a-z0-9_]*$', maxLength: 40, description: 'Name in values or secrets.' }),
  label: word('Label of the field.'),
  secret: Type.Boolean({ description: 'True if it is sent in secrets and stored in the credential.' }),
  required: Type.Boolean(),
  pattern: Type.Optional(Type.String({ maxLength: 200, description: 'Regular expression that the value matches.' })),
  example: Type.Optional(Type.String({ maxLength: 200 })),
  default: Type.Optional(Type.String({ maxLength: 200, description: 'Value if none is entered.' })),
  found_at: Type.Optional(word('Place in the application that shows it.', 200)),
});
export type EnteredValue = Static<typeof EnteredValue>;

/** Positions of a parameter in a request. */
export const PARAMETER_POSITIONS = ['path', 'query', 'header', 'body', 'variable'] as const;
export const PARAMETER_TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const;

const scalar = Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] });

export const CatalogueParameter = closedObject({
  name: Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$', maxLength: 60 }),
  in: enumSchema(PARAMETER_POSITIONS, 'Position in the request; variable: a variable of a GraphQL call.'),
  sent_as: Type.Optional(word('Name in the request, if it differs.', 100)),
  type: enumSchema(PARAMETER_TYPES),
  items: Type.Optional(enumSchema(PARAMETER_TYPES, 'Type of the elements of an array.')),
  required: Type.Boolean(),
  summary: Type.Optional(word('Meaning, if the name does not say it.', 200)),
  enum: Type.Optional(Type.Array(scalar, { minItems: 1, maxItems: 60 })),
  format: Type.Optional(enumSchema(['date', 'date-time', 'email', 'uri', 'uuid'])),
  minimum: Type.Optional(Type.Number()),
  maximum: Type.Optional(Type.Number()),
  max_length: Type.Optional(Type.Integer({ minimum: 1 })),
  max_items: Type.Optional(Type.Integer({ minimum: 1 })),
});
export type CatalogueParameter = Static<typeof CatalogueParameter>;

const actionKey = Type.String({ pattern: '^[a-z][a-z0-9_]*(\\.[a-z0-9_]+)*$', maxLength: 60 });

export const ServiceAction = closedObject({
  key: actionKey,
  performed_by: Type.Literal('SERVICE'),
  name: word('Name of the action.'),
  summary: Type.Optional(word('Details that the name does not say.', 300)),
  method: enumSchema(HTTP_METHODS),
  path: Type.String({ pattern: '^/', maxLength: 300, description: 'Path below the base URL; {name} is a parameter or an entered value.' }),
  side_effects: enumSchema(SIDE_EFFECTS),
  risk: closedObject({ rating: enumSchema(RISK_RATINGS), dangerous: Type.Boolean() }),
  parameters: Type.Array(CatalogueParameter, { maxItems: 40 }),
  body_format: Type.Optional(enumSchema(['json', 'form'], 'Encoding of the body. Default: json.')),
  body: Type.Optional(
    Type.Unknown({ description: 'JSON body in which {name} is a parameter. Default: an object of the parameters in the body.' }),
  ),
  graphql: Type.Optional(closedObject({ query: Type.String({ minLength: 1, maxLength: 4_000 }), variables: Type.Unknown() })),
  constraint: Type.Optional(word('Condition of the application, such as a verified sender.', 300)),
  automation: Type.Optional(word('Operation of the automation node that does the same.', 100)),
  source: closedObject({
    id: word('Id of the document in sources.', 40),
    pointer: word('JSON Pointer to the operation, or field of a GraphQL schema.', 300),
  }),
});
export type ServiceAction = Static<typeof ServiceAction>;

export const PlatformAction = closedObject({
  key: Type.String({ minLength: 1, maxLength: 100, description: '* stands for every action of the application.' }),
  performed_by: Type.Literal('PLATFORM'),
  reason: enumSchema(
    PLATFORM_REASONS,
    'NOT_A_WEB_API: a database, queue, file transfer or local step. SIGNED_FOR_HOST: requests are signed for a host and region. TOKEN_EXCHANGED_FIRST: the key is exchanged for a token first. NO_ENDPOINT: no endpoint that could be called. KEY_IN_ADDRESS: the key is part of the URL, which logs may show. NOT_DESCRIBED: the catalogue does not describe the action.',
  ),
});
export type PlatformAction = Static<typeof PlatformAction>;

/** A document that the facts of an entry were checked with. */
export const CatalogueSource = closedObject({
  id: word('Id within the entry.', 40),
  kind: enumSchema(['OPENAPI', 'GRAPHQL', 'SCHEMA']),
  package: Type.Optional(word('Package that contains the document, with its version.')),
  repository: Type.Optional(word('Repository that contains the document.')),
  commit: Type.Optional(Type.String({ pattern: '^[0-9a-f]{40}$' })),
  path: word('Path of the document.', 200),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  document_version: nullable(Type.String({ maxLength: 60 })),
  licence: word('License of the document.', 100),
});
export type CatalogueSource = Static<typeof CatalogueSource>;

const Automation = closedObject({
  node: word('Identifier of the node.'),
  node_version: Type.Number(),
  action_count: Type.Integer({ minimum: 0 }),
  credential_kinds: Type.Array(Type.String({ maxLength: 80 }), { maxItems: 20 }),
});

const CatalogueOauth = closedObject({
  grant: enumSchema(OAUTH_GRANTS),
  token_url: Type.String({ maxLength: 300 }),
  authorization_url: Type.Optional(Type.String({ maxLength: 300 })),
  client_authentication: Type.Optional(enumSchema(CLIENT_AUTHENTICATIONS)),
  scope: Type.Optional(Type.String({ maxLength: 1_000 })),
});

const CatalogueCredential = closedObject({
  scheme: enumSchema(CREDENTIAL_SCHEMES),
  placement: Placement,
  secret: Type.Optional(word('Name of the entered value that is the secret; not for OAuth.', 40)),
  oauth: Type.Optional(CatalogueOauth),
  extras: Type.Optional(
    Type.Array(
      closedObject({
        in: enumSchema(EXTRA_POSITIONS),
        name: word('Name of the item.', 100),
        secret: word('Name of the entered value.', 40),
      }),
      { maxItems: 4 },
    ),
  ),
});

/** An item that each request of an application has in addition to its parameters, and that no agent can change. */
const ExtraItem = closedObject({
  in: enumSchema(['HEADER', 'QUERY']),
  name: word('Name of the item.', 100),
  value: word('Value; {name} is an entered value.', 300),
});

/** Catalogue data of an application. */
export const catalogueEntry = {
  key: Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$', maxLength: 30 }),
  version: Type.Integer({ minimum: 1, description: 'Version of the entry, which increases with each change.' }),
  name: word('Name of the application.'),
  category: enumSchema(APPLICATION_CATEGORIES),
  summary: word('Purpose of the application.', 200),
  automation: nullable(Automation),
  api: nullable(closedObject({ base_url: Type.String({ maxLength: 300, pattern: '^https://' }) })),
  credential: nullable(CatalogueCredential),
  enter: Type.Array(EnteredValue, { maxItems: 10 }),
  extra_items: Type.Array(ExtraItem, { maxItems: 8 }),
  test: nullable(closedObject({ path: Type.String({ pattern: '^/', maxLength: 300 }) }, 'Request that shows that the credential works.')),
  sources: Type.Array(CatalogueSource, { maxItems: 8 }),
  actions: Type.Array(Type.Union([ServiceAction, PlatformAction]), { maxItems: 400 }),
};
export const CatalogueEntry = closedObject({ format: Type.Literal('svc-catalogue/1'), ...catalogueEntry });
export type CatalogueEntry = Static<typeof CatalogueEntry>;
