import { fromJsonSchema, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const text = (value: string) => ({ type: 'text' as const, text: value });
const image = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' };
const audio = { type: 'audio' as const, data: SILENCE, mimeType: 'audio/wav' };
const resource = (uri: string, mimeType: string, value: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: value },
});

const schema = <T>(properties: object, required: readonly string[] = []) =>
  fromJsonSchema<T>({ type: 'object', properties, required: [...required] } as Parameters<typeof fromJsonSchema>[0]);

const addResources = (server: McpServer): void => {
  server.registerResource('static-text', 'test://static-text', { mimeType: 'text/plain' }, async ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }));
  server.registerResource('static-binary', 'test://static-binary', { mimeType: 'image/png' }, async ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: PIXEL }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, { mimeType: 'application/json' }, async ({ href }, { id }) => ({
    contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }],
  }));
};

const asUser = (content: object) => ({ role: 'user' as const, content: content as ReturnType<typeof text> });

const addPrompts = (server: McpServer): void => {
  server.registerPrompt('test_simple_prompt', { description: 'A simple prompt.' }, async () => ({
    messages: [asUser(text('This is a simple prompt for testing.'))],
  }));
  const both = schema<{ arg1: string; arg2: string }>({ arg1: { type: 'string' }, arg2: { type: 'string' } }, ['arg1', 'arg2']);
  server.registerPrompt('test_prompt_with_arguments', { description: 'Two arguments.', argsSchema: both }, async ({ arg1, arg2 }) => ({
    messages: [asUser(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  }));
  const uri = schema<{ resourceUri: string }>({ resourceUri: { type: 'string' } }, ['resourceUri']);
  server.registerPrompt('test_prompt_with_embedded_resource', { description: 'A resource.', argsSchema: uri }, async ({ resourceUri }) => ({
    messages: [asUser(resource(resourceUri, 'text/plain', 'Embedded resource content.')), asUser(text('Please process it.'))],
  }));
  server.registerPrompt('test_prompt_with_image', { description: 'An image.' }, async () => ({
    messages: [asUser(image), asUser(text('Please analyze the image above.'))],
  }));
};

/** A server of the reference SDK with the tools that the conformance suite calls, and some for clients. */
export const newReferenceTools = (): McpServer => {
  const server = new McpServer({ name: 'reference-tools', version: '1.0.0' });
  const answers = {
    test_simple_text: [text('This is a simple text response for testing.')],
    test_image_content: [image],
    test_audio_content: [audio],
    test_embedded_resource: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
    test_multiple_content_types: [
      ...[text('Multiple content types test:'), image],
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  };
  for (const [name, content] of Object.entries(answers))
    server.registerTool(name, { description: `Answers ${name}.` }, async () => ({ content }));
  server.registerTool('test_error_handling', { description: 'Fails.' }, async () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Reports progress.', inputSchema: schema({}) },
    async (_given, { mcpReq }) => {
      const { progressToken } = mcpReq._meta ?? {};
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return { content: [text(String(progressToken))] };
    },
  );
  const echo = schema<{ message: string }>({ message: { type: 'string' } }, ['message']);
  server.registerTool('echo', { title: 'Echo tool', description: 'Echoes é 世界', inputSchema: echo }, async ({ message }) => ({
    content: [text(`Echo: ${message}`)],
  }));
  const sum = schema<{ a: number; b: number }>({ a: { type: 'number' }, b: { type: 'number' } }, ['a', 'b']);
  const outputSchema = schema<{ sum: number }>({ sum: { type: 'number' } }, ['sum']);
  server.registerTool('get-sum', { description: 'Adds two numbers.', inputSchema: sum, outputSchema }, async ({ a, b }) => ({
    content: [text(JSON.stringify({ sum: a + b }))],
    structuredContent: { sum: a + b },
  }));
  const region = schema<{ region: string }>({ region: { type: 'string', 'x-mcp-header': 'Region' } }, ['region']);
  server.registerTool('in_region', { description: 'Repeats its argument in a header.', inputSchema: region }, async (given) => ({
    content: [text(given.region)],
  }));
  addResources(server);
  addPrompts(server);
  return server;
};
