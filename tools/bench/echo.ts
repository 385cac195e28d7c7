import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Run as a process of its own: a bare server that reads each request whole and answers the same bytes every time.
 * Each message gives it the body to answer with from then on; it answers with its port.
 */
let body: Uint8Array = new Uint8Array();
const server = createServer((request, response) => {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  request.on('end', () => {
    response.writeHead(bytes > 0 ? 200 : 400, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length });
    response.end(body);
  });
});
process.on('message', (answer: { readonly body: Uint8Array }) => {
  body = answer.body;
  process.send?.((server.address() as AddressInfo).port);
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.send?.('ready'));
