import type { ToolDeclaration } from '@svc/contract/tools/tools.ts';

export const CAPABILITIES = { refund: 'payments.refund', read: 'customers.read' } as const;

/** The MCP server of the demo data, and the tool of it that is authorized. */
export const TICKET_SERVER = { server: 'Help desk', tool: 'search_tickets', name: 'help-desk.search_tickets' } as const;

/** The MCP server whose definition changes, and the tool of it that is authorized. */
export const KNOWLEDGE_SERVER = { server: 'Knowledge base', tool: 'search_articles', name: 'knowledge-base.search_articles' } as const;

/** The verified connection to a remote agent, and its tool. */
export const SHIPPING_PARTNER = { connection: 'Shipping partner', name: 'a2a.shipping-partner' } as const;

/** Called by the service itself; the address is the sandbox receiver's, which stands in for a payment provider. */
export const refundTool = (environmentId: string, sandboxOrigin: string, path: string): ToolDeclaration => ({
  name: 'refund.create',
  environment_id: environmentId,
  required_capability: CAPABILITIES.refund,
  kind: 'HTTP',
  // The demo has one person, who could not approve requests of their own agent for a high-risk tool.
  risk_rating: 'LOW',
  destination_allowlist: [new URL(sandboxOrigin).host],
  amount_from: '/amount',
  currency_from: '/currency',
  parameters_schema: {
    type: 'object',
    properties: { order: { type: 'string' }, amount: { type: 'integer', minimum: 1 }, currency: { type: 'string' } },
    required: ['order', 'amount', 'currency'],
    additionalProperties: false,
  },
  execution: { method: 'POST', url: `${sandboxOrigin}${path}`, body: { order: '{order}', amount: '{amount}', currency: '{currency}' } },
});

/** Executed by the agent's own process after the response. */
export const readTool = (environmentId: string): ToolDeclaration => ({
  name: 'customer.read',
  environment_id: environmentId,
  required_capability: CAPABILITIES.read,
  kind: 'SDK',
  risk_rating: 'LOW',
  parameters_schema: {
    type: 'object',
    properties: { customer: { type: 'string' } },
    required: ['customer'],
    additionalProperties: false,
  },
});
