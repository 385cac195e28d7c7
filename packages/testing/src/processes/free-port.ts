import { createServer } from 'node:net';

/** Below what any system gives out by itself: nobody who asks for any port, to listen or to connect from, gets one of these meanwhile. */
const FIRST = 15_000;
const LAST = 31_999;
const TRIES = 50;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** A port nobody listens on, for a process whose address others must know before it starts. */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    if (await isFree(port)) return port;
  }
  throw new Error(`found no free port between ${FIRST} and ${LAST}`);
};
