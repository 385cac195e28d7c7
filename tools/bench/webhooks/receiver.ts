import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Runs as a process of its own: a receiver that accepts everything at once and reports how many it has got. */
let received = 0;
let connections = 0;
const seen = new Set<string>();
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    received += 1;
    seen.add(String(request.headers['svc-event-id']));
    response.writeHead(204).end();
  });
});
server.on('connection', () => {
  connections += 1;
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('message', () => process.send?.({ received, connections, events: seen.size }));
process.on('disconnect', () => process.exit(0));
