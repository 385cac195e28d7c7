import { usageError } from '../exit-codes.ts';
import type { RunCommand } from '../session/hand-command.ts';
import { openBrowser } from '../terminal/open-browser.ts';

/** Page of the console for each prefix of an id. */
const PAGES: Readonly<Record<string, string>> = {
  act: '/actions/',
  apr: '/approvals/',
  agt: '/agents/',
  pol: '/policies/',
  tool: '/tools/',
  del: '/delegations/',
  cred: '/credentials/',
  evt: '/audit/',
  mcp: '/mcp/',
};

const findPath = (target: string): string => {
  if (target === '') return '/';
  const prefix = /^([a-z0-9]{2,5})_[0-9A-HJKMNP-TV-Z]{26}$/.exec(target)?.[1];
  if (prefix === undefined) return `/${encodeURIComponent(target.replace(/^\//, ''))}`;
  const page = PAGES[prefix];
  if (page === undefined) throw usageError(`${target} has no page of its own.`, 'Name a page, such as: svc open audit');
  return `${page}${target}`;
};

export const openConsole: RunCommand = async (cli, [target = ''], { print }) => {
  const address = `${cli.url()}${findPath(target)}`;
  cli.io.out(address);
  if (print !== true && cli.io.interactive) openBrowser(cli.settings, address);
};
