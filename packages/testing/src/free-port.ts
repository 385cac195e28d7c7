import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

/** A port nobody listens on, for a process whose address others must know before it starts. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
