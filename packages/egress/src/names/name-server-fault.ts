import { isIP } from 'node:net';

const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+)):(\d{1,5})$/;

/** Returns the fault of a name server's text, or undefined. */
export const findNameServerFault = (text: string): string | undefined => {
  const [, six, four, port = '53'] = WITH_PORT.exec(text) ?? [];
  const isAddress = isIP(six ?? four ?? text) !== 0;
  if (isAddress && Number(port) >= 1 && Number(port) <= 65_535) return undefined;
  return `${JSON.stringify(text)} is not a name server such as 10.0.0.2, 10.0.0.2:5353 or [fd00::2]:53`;
};
