import { spawn } from 'node:child_process';
import type { Settings } from '../settings.ts';

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an http address in the browser. That no browser opens is no error: the address is always printed too. */
export const openBrowser = (settings: Settings, address: string): void => {
  const { protocol, href } = new URL(address);
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError('Only http and https addresses are opened.');
  const [program, ...args] = settings.browser === undefined ? (OPENERS[process.platform] ?? ['xdg-open']) : [settings.browser];
  const child = spawn(program ?? 'xdg-open', [...args, href], { detached: true, stdio: 'ignore' });
  child.on('error', () => undefined);
  child.unref();
};
