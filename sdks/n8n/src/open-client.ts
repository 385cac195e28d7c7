import { Governance } from '@svc/sdk/governance.ts';

const CLIENTS_MAX = 50;
const clients = new Map<string, Governance>();

const text = (credential: Readonly<Record<string, unknown>>, name: string): string => {
  const value = credential[name];
  if (typeof value !== 'string' || value === '') throw new TypeError(`The credential has no ${name}.`);
  return value;
};

/** Returns the client of a credential. Clients are kept in this process, so that executions share their token. */
export const openClient = (credential: Readonly<Record<string, unknown>>): Governance => {
  const options = {
    gatewayUrl: text(credential, 'gatewayUrl'),
    agentId: text(credential, 'agentId'),
    privateKey: text(credential, 'privateKey'),
    keyGeneration: typeof credential.keyGeneration === 'number' ? credential.keyGeneration : 1,
  };
  const key = JSON.stringify(Object.values(options));
  const known = clients.get(key);
  if (known !== undefined) return known;
  const [oldest] = clients.keys();
  if (clients.size >= CLIENTS_MAX && oldest !== undefined) clients.delete(oldest);
  const client = new Governance(options);
  clients.set(key, client);
  return client;
};
