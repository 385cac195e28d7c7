import { type Static, Type } from 'typebox';
import { closed, id, jsonObject, nullable, oneOf, timestamp } from '../rows/schema.ts';
import { CREDENTIAL_SCHEMES, Placement } from '../credentials/credentials.ts';
import { declarable, ToolExecution } from './tools.ts';

/** The ways a service may want a credential to be sent: those of stored ones, and tokens of OAuth 2.0. */
export const WANTED_SCHEMES = [...CREDENTIAL_SCHEMES, 'OAUTH'] as const;
export const OAUTH_FLOWS = ['CLIENT_CREDENTIALS', 'AUTHORIZATION_CODE', 'PASSWORD', 'IMPLICIT'] as const;

export const WantedCredential = closed({
  scheme: oneOf(WANTED_SCHEMES, 'How the service wants it sent.'),
  name: Type.String({ description: 'What the document calls it.' }),
  placement: Placement,
  scopes: Type.Array(Type.String()),
  oauth: Type.Optional(
    closed({
      flow: Type.Optional(oneOf(OAUTH_FLOWS)),
      token_url: Type.Optional(Type.String()),
      authorization_url: Type.Optional(Type.String()),
    }),
  ),
});
export type WantedCredential = Static<typeof WantedCredential>;

/** What a tool of a document would declare. */
export const ProposedDeclaration = closed({
  description: declarable.description,
  required_capability: declarable.required_capability,
  destination_allowlist: declarable.destination_allowlist,
  risk_rating: declarable.risk_rating,
  dangerous: declarable.dangerous,
  parameters_schema: declarable.parameters_schema,
  execution: ToolExecution,
});
export type ProposedDeclaration = Static<typeof ProposedDeclaration>;
void [id, jsonObject, nullable, timestamp];
