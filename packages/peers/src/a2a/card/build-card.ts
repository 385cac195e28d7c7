/** Builds the card of a published agent. It is signed elsewhere. No member is empty, so that every program signs and verifies the same text. */
import type { ListedCard } from '@svc/contract/agents/agents/listings.ts';

const MODES = ['text/plain', 'application/json'];

type Addresses = { readonly endpoint: string; readonly tokenUrl: string };

export const buildAgentCard = (
  { name, description, version, provider, skills, push_notifications = false }: ListedCard,
  { endpoint, tokenUrl }: Addresses,
) => ({
  name,
  description,
  version,
  ...(provider === null ? {} : { provider }),
  supportedInterfaces: [{ url: endpoint, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: true, ...(push_notifications ? { pushNotifications: true } : {}) },
  securitySchemes: {
    partner: {
      oauth2SecurityScheme: {
        description: 'client_credentials with private_key_jwt (RFC 7523). The client id is the id of the connection.',
        flows: { clientCredentials: { tokenUrl, scopes: { a2a: 'Messages to agents.' } } },
      },
    },
  },
  securityRequirements: [{ schemes: { partner: { list: ['a2a'] } } }],
  defaultInputModes: MODES,
  defaultOutputModes: MODES,
  skills,
});
