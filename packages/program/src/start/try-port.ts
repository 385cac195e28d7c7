import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * The port, or one that is free where it is 0. Throws as listening does where somebody has it, also where theirs may be shared: who listens with
 * `reusePort` takes no notice of others that do.
 */
export const tryPort = async (host: string, port: number): Promise<number> => {
  const listener = createServer().listen({ host, port, exclusive: true });
  await once(listener, 'listening');
  const found = (listener.address() as AddressInfo).port;
  listener.close();
  await once(listener, 'close');
  return found;
};
