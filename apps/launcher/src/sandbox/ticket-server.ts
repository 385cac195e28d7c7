import { answerMcpServer, type SandboxMcpTool } from './mcp-server.ts';

/** Path at which the sandbox receiver is an MCP server. */
export const TICKET_SERVER_PATH = '/mcp';

const TOOLS: readonly SandboxMcpTool[] = [
  {
    name: 'search_tickets',
    description: 'Searches the tickets of the help desk.',
    inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'], additionalProperties: false },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'close_ticket',
    description: 'Closes a ticket of the help desk.',
    inputSchema: { type: 'object', properties: { ticket: { type: 'string' } }, required: ['ticket'], additionalProperties: false },
    annotations: { destructiveHint: true },
  },
];

/** Returns the response of an MCP server that stands in for a help desk. */
export const answerTicketServer = (body: unknown): ReturnType<typeof answerMcpServer> => answerMcpServer('sandbox-help-desk', TOOLS, body);
