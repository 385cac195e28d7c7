import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceivedModelCall = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };

/** Response of the provider: a text of its model, or a raw response. */
export type ModelReply =
  | { readonly text: string; readonly cut?: true }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly raw: string }
  | 'hangs';

/** A provider of language models on this machine that supports three protocols by path, and responds as the test says. */
export type ModelProvider = {
  readonly origin: string;
  readonly calls: ReceivedModelCall[];
  readonly answer: (reply: ModelReply) => void;
  readonly close: () => Promise<void>;
};

const wrapped = (path: string, text: string, isCut: boolean): object => {
  if (path.endsWith('/messages'))
    return {
      content: [{ type: 'text', text }],
      stop_reason: isCut ? 'max_tokens' : 'end_turn',
      usage: { input_tokens: 7, output_tokens: 5 },
    };
  if (path.endsWith('/responses'))
    return {
      status: isCut ? 'incomplete' : 'completed',
      output: [{ type: 'message', content: [{ type: 'output_text', text }] }],
      usage: { input_tokens: 7, output_tokens: 5 },
    };
  const choice = { message: { role: 'assistant', content: text }, finish_reason: isCut ? 'length' : 'stop' };
  return { choices: [choice], usage: { prompt_tokens: 7, completion_tokens: 5 } };
};

export const startModelProvider = async (): Promise<ModelProvider> => {
  const calls: ReceivedModelCall[] = [];
  let reply: ModelReply = 'hangs';
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { url: path = '', headers } = request;
    calls.push({ path, headers, body: Buffer.concat(chunks).toString('utf8') });
    if (reply === 'hangs') return;
    if ('raw' in reply)
      return void response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(reply.raw);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(wrapped(path, reply.text, reply.cut === true)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A test that fails before it closes this must still be able to exit.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    calls,
    answer: (next) => {
      reply = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
