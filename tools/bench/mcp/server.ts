import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Runs as a process of its own: an MCP server of revision 2026-07-28 with one tool that responds at once. Answers a message with its port.
 */
const TOOL = {
  name: 'ping',
  description: 'Answers with a pong.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};
const COMPLETE = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

const answerMethod = (method: string): object => {
  if (method === 'tools/call') return { resultType: 'complete', content: [{ type: 'text', text: 'pong' }] };
  if (method === 'tools/list') return { ...COMPLETE, tools: [TOOL] };
  return { ...COMPLETE, supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, serverInfo: { name: 'bench', version: '1.0.0' } };
};

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => void chunks.push(chunk));
  request.on('end', () => {
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString());
    const text = JSON.stringify({ jsonrpc: '2.0', id, result: answerMethod(method) });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
  });
});
server.keepAliveTimeout = 0;
process.on('message', () => void process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.send?.('ready'));
