/** The path of the sandbox receiver at which it is an MCP server. */
export const TICKET_SERVER_PATH = '/mcp';

const METHOD_NOT_FOUND = -32_601;

const TOOLS = [
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

type Message = { readonly id?: unknown; readonly method?: unknown; readonly params?: unknown };

const buildResult = ({ method, params }: Message): object | undefined => {
  if (method === 'server/discover')
    return {
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      serverInfo: { name: 'sandbox-help-desk', version: '1.0.0' },
    };
  if (method === 'tools/list') return { tools: TOOLS };
  if (method !== 'tools/call') return undefined;
  return { content: [{ type: 'text', text: `The sandbox received ${JSON.stringify(params)}.` }] };
};

/** The response of a small MCP server, of revision 2026-07-28, that stands in for a help desk. Its tools do nothing. */
export const answerTicketServer = (body: unknown): { readonly status: number; readonly message: object } => {
  const message: Message = typeof body === 'object' && body !== null ? body : {};
  const { id = null } = message;
  const result = buildResult(message);
  if (result === undefined)
    return { status: 404, message: { jsonrpc: '2.0', id, error: { code: METHOD_NOT_FOUND, message: 'Method not found' } } };
  return { status: 200, message: { jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } } };
};
