import { Agent, createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Runs as a process of its own: a bare proxy, which forwards each request to the downstream over keep-alive connections and returns the
 * response. Its message names the downstream's port; it replies with its own.
 */
const agent = new Agent({ keepAlive: true, scheduling: 'lifo' });
let port = 0;
const server = createServer((request, response) => {
  const { method, url: path, headers } = request;
  const outgoing = httpRequest({ agent, port, host: '127.0.0.1', method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on('error', () => response.destroy());
  request.pipe(outgoing);
});
// A connection that is idle between two rounds is never closed at the moment of its next use.
server.keepAliveTimeout = 0;
process.on('message', (message: { readonly port: number }) => {
  port = message.port;
  process.send?.((server.address() as AddressInfo).port);
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.send?.('ready'));
