import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * Returns the port, or a free one for 0. Throws like listening does if the port is in use, even with `reusePort`: a listener with
 * `reusePort` does not notice others.
 */
export const tryPort = async (host: string, port: number): Promise<number> => {
  const listener = createServer().listen({ host, port, exclusive: true });
  await once(listener, 'listening');
  const found = (listener.address() as AddressInfo).port;
  listener.close();
  await once(listener, 'close');
  return found;
};
