import { CONSOLE_ROUTES, type ConsoleRoute, type ConsoleRouteName } from '@svc/contract/tables/console-routes.ts';

/** Rows of the route table. A test has an address of each. */
export const EVERY_ROUTE = Object.entries(CONSOLE_ROUTES as Readonly<Record<ConsoleRouteName, ConsoleRoute>>).map(([name, route]) => ({
  ...route,
  name: name as ConsoleRouteName,
}));

/** Fills the parameters of a page's path in. Throws if one has no value. */
export const fillPath = ({ path }: Pick<ConsoleRoute, 'path'>, values: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = values[parameter];
    if (value === undefined) throw new Error(`${path} has no value of ${parameter}`);
    return encodeURIComponent(value);
  });
