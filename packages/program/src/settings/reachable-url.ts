import { isIP } from 'node:net';

/** Returns the address under which a plane that listens on this host and port is reached. */
export const buildReachableUrl = (host: string, port: number): string => {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`;
};
