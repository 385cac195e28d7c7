import { CONSOLE_ROUTES, type ConsoleRoute, type ConsoleRouteName, type MenuGroup } from '@svc/contract/tables/console-routes.ts';
import { may, type Permitted } from '../data/permissions.ts';

export type MenuItem = { readonly name: ConsoleRouteName; readonly route: ConsoleRoute };

/** The pages of one heading of the menu that the person may see, in the order of the table. */
export const getMenuItems = (session: Permitted, group: MenuGroup): readonly MenuItem[] =>
  Object.entries(CONSOLE_ROUTES as Readonly<Record<ConsoleRouteName, ConsoleRoute>>)
    .filter(([, route]) => route.group === group && may(session, route.permission))
    .map(([name, route]) => ({ name: name as ConsoleRouteName, route }));
