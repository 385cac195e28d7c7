import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { JSON_ECHO_PATH } from './job.ts';

/**
 * Runs as a process of its own: a bare server that reads each request whole and returns the same bytes every time; on one path it parses
 * the request and serializes the response again, which is the minimum for any service with JSON. Each message sets the response body from
 * then on; it replies with its port.
 */
let body: Uint8Array = new Uint8Array();
let answer: unknown;
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => void chunks.push(chunk));
  request.on('end', () => {
    const asJson = request.url === JSON_ECHO_PATH;
    const isRead = asJson ? typeof JSON.parse(Buffer.concat(chunks).toString()) === 'object' : chunks.length > 0;
    const text = asJson ? JSON.stringify(answer) : body;
    const length = typeof text === 'string' ? Buffer.byteLength(text) : text.length;
    response.writeHead(isRead ? 200 : 400, { 'content-type': 'application/json; charset=utf-8', 'content-length': length });
    response.end(text);
  });
});
// A connection that is idle between two rounds is never closed at the moment of its next use.
server.keepAliveTimeout = 0;
process.on('message', (message: { readonly body: Uint8Array }) => {
  body = message.body;
  answer = JSON.parse(Buffer.from(body).toString());
  process.send?.((server.address() as AddressInfo).port);
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.send?.('ready'));
