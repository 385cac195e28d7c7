import { CONSOLE_ROUTES, type ConsoleRoute } from '@svc/contract/tables/console-routes.ts';
import { ID_PREFIXES } from '@svc/contract/tables/ids.ts';
import { isPathParameter, PATH_PARAMETERS } from '@svc/contract/tables/path-parameters.ts';
import { getUsageError } from '../exit-codes.ts';
import { printResult } from '../output/print.ts';
import type { RunCommand } from '../session/hand-command.ts';
import { openBrowser } from '../terminal/open-browser.ts';
import { findNearestWord } from './nearest.ts';

const ROUTES: readonly ConsoleRoute[] = Object.values(CONSOLE_ROUTES);
const OBJECT_PATH = /^(?<start>[^{]*\/)\{(?<parameter>\w+)\}$/;

/** Paths of the pages of single things, by the prefix of their ids. */
const listObjectPages = (): ReadonlyMap<string, string> =>
  new Map(
    ROUTES.flatMap(({ path }) => {
      const { start = '', parameter = '' } = OBJECT_PATH.exec(path)?.groups ?? {};
      const noun = isPathParameter(parameter) ? PATH_PARAMETERS[parameter].id : null;
      return noun === null ? [] : [[ID_PREFIXES[noun], start] as const];
    }),
  );

/** Pages without parameters by their short name, the end of their path. */
const listPages = (): ReadonlyMap<string, string> =>
  new Map(
    ROUTES.filter(({ path }) => !path.includes('{') && !path.endsWith('/new')).map(({ path }) => [path.split('/').at(-1) ?? '', path]),
  );

const findPath = (target: string): string => {
  if (target === '') return '/';
  if (/^req_[0-9A-HJKMNP-TV-Z]{26}$/.test(target)) return `${CONSOLE_ROUTES.actions.path}?request_id=${target}`;
  const prefix = /^([a-z0-9]{2,5})_[0-9A-HJKMNP-TV-Z]{26}$/.exec(target)?.[1];
  if (prefix !== undefined) {
    const start = listObjectPages().get(prefix);
    if (start === undefined) throw getUsageError(`${target} has no page of its own.`, 'Name a page, such as: svc open audit');
    return `${start}${target}`;
  }
  const pages = listPages();
  const known = [...pages.values()].find((path) => path === `/${target.replace(/^\//, '')}`) ?? pages.get(target);
  if (known !== undefined) return known;
  const near = findNearestWord(target, [...pages.keys()]);
  throw getUsageError(
    `The console has no page "${target}".`,
    near === undefined ? `Pages: ${[...pages.keys()].join(', ')}` : `Did you mean ${near}?`,
  );
};

export const openConsole: RunCommand = async (cli, [target = ''], { print }) => {
  const address = `${cli.url()}${findPath(target)}`;
  printResult(cli, { address }, () => cli.io.out(address));
  if (print !== true && cli.io.interactive) openBrowser(cli.settings, address);
};
