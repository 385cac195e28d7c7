const METHOD_NOT_FOUND = -32_601;

/** A tool in an MCP server's list. */
export type SandboxMcpTool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly annotations: object;
};

type Message = { readonly id?: unknown; readonly method?: unknown; readonly params?: unknown };

const buildResult = (name: string, tools: readonly SandboxMcpTool[], { method, params }: Message): object | undefined => {
  if (method === 'server/discover')
    return {
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      serverInfo: { name, version: '1.0.0' },
    };
  if (method === 'tools/list') return { tools };
  if (method !== 'tools/call') return undefined;
  return { content: [{ type: 'text', text: `The sandbox received ${JSON.stringify(params)}.` }] };
};

/** Returns the response of a small MCP server, revision 2026-07-28. Its tools do nothing. */
export const answerMcpServer = (
  name: string,
  tools: readonly SandboxMcpTool[],
  body: unknown,
): { readonly status: number; readonly message: object } => {
  const message: Message = typeof body === 'object' && body !== null ? body : {};
  const { id = null } = message;
  const result = buildResult(name, tools, message);
  if (result === undefined)
    return { status: 404, message: { jsonrpc: '2.0', id, error: { code: METHOD_NOT_FOUND, message: 'Method not found' } } };
  return { status: 200, message: { jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } } };
};
