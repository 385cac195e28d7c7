import { tryPort } from '@svc/program/start/try-port.ts';

export type WantedPort = { readonly setting: string; readonly port: number };

/** Returns the requested ports if they are free, with 0 replaced by a real one; otherwise what is wrong with each. */
export const checkPorts = async (
  host: string,
  wanted: readonly WantedPort[],
): Promise<{ ports: readonly number[]; faults: readonly string[] }> => {
  const ports: number[] = [];
  const faults: string[] = [];
  // Not requested for the other plane, and not proposed for it.
  const spokenFor = wanted.map(({ port }) => port);
  for (const { setting, port } of wanted) {
    const answer = await portOrCode(host, port, ports);
    if (typeof answer === 'number') ports.push(answer);
    else faults.push(await describeFault(host, setting, port, answer, spokenFor));
  }
  // An invalid host is one fault, not one for each port.
  return { ports, faults: [...new Set(faults)] };
};

/** Returns the port, or the error code of why it cannot be listened on. */
const portOrCode = async (host: string, port: number, taken: readonly number[] = []): Promise<number | string> => {
  try {
    const found = await tryPort(host, port);
    // The system may return one of them again; a requested port is kept.
    return port === 0 && taken.includes(found) ? await portOrCode(host, port, taken) : found;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code;
  }
};

const describeFault = async (host: string, setting: string, port: number, code: string, spokenFor: number[]): Promise<string> => {
  if (code === 'EADDRINUSE') {
    const free = await findFree(host, port + 1, spokenFor);
    spokenFor.push(free);
    return `Port ${port} on ${host} is in use by another program. Stop it, or choose another port, for example ${setting}=${free} npm start.`;
  }
  if (code === 'EACCES')
    return `Port ${port} requires privileges that you do not have. Choose a port above 1023, for example ${setting}=${port + 4000} npm start.`;
  return `HOST is "${host}", which this machine cannot listen on (${code}). Unset it for 127.0.0.1, or use an address of this machine.`;
};

const findFree = async (host: string, from: number, spokenFor: readonly number[]): Promise<number> => {
  for (let port = from; port < Math.min(from + 50, 65_536); port += 1) {
    if (!spokenFor.includes(port) && typeof (await portOrCode(host, port)) === 'number') return port;
  }
  return 0;
};
