import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { isObject, listAt, textAt } from '../digest/json.ts';
import { parseYaml } from '../digest/parse-yaml.ts';
import { fault, type PlatformFormat, type RouteFault } from './platform-format.ts';

/** Plugins that ask the gateway. */
const OURS = new Set(['svc-governance', 'ext-authz', 'forward-auth', 'opa']);

type Plugin = { readonly name: string; readonly enabled: boolean; readonly consumer: boolean; readonly failsOpen: boolean };

const readPlugin = (plugin: JsonObject): Plugin => {
  const config = isObject(plugin.config) ? plugin.config : {};
  return {
    name: textAt(plugin, 'name') ?? '',
    enabled: plugin.enabled !== false,
    consumer: plugin.consumer !== undefined || plugin.consumer_group !== undefined,
    failsOpen: config.fail_open === true || config.failure_mode_allow === true,
  };
};

const pluginsAt = (holder: unknown): Plugin[] =>
  listAt(holder, 'plugins')
    .filter(isObject)
    .map(readPlugin)
    .filter(({ name }) => OURS.has(name));

type Named = { readonly name: string; readonly own: readonly Plugin[]; readonly above: readonly (readonly Plugin[])[] };

/** The plugin at the narrowest level counts. */
const effective = ({ own, above }: Named): Plugin | undefined =>
  [own, ...above].flatMap((level) => level.filter(({ consumer }) => !consumer)).at(0);

const routeFaults = (route: Named): RouteFault[] => {
  const plugin = effective(route);
  if (plugin === undefined) return [fault('ROUTE_AROUND', 'HIGH', route.name, 'No authorization plugin applies to it.')];
  const overrides = [route.own, ...route.above].flat().filter(({ consumer }) => consumer);
  const override = overrides.find(({ enabled }) => !enabled);
  const isOpenForSome = overrides.some(({ enabled, failsOpen }) => enabled && failsOpen);
  return [
    ...(plugin.enabled ? [] : [fault('AUTHZ_DISABLED_ON_ROUTE', 'HIGH', route.name, 'The authorization plugin is disabled.')]),
    ...((plugin.enabled && plugin.failsOpen) || isOpenForSome
      ? [fault('AUTHZ_FAIL_OPEN', 'CRITICAL', route.name, 'The plugin lets requests pass when the service does not answer.')]
      : []),
    ...(override === undefined ? [] : [fault('AUTHZ_DISABLED_ON_ROUTE', 'HIGH', route.name, 'The plugin is disabled for a consumer.')]),
  ];
};

/** Plugins of consumers and their groups, which replace those of every route for their requests. */
const consumerPlugins = (file: JsonObject): Plugin[] =>
  [...listAt(file, 'consumers'), ...listAt(file, 'consumer_groups')].flatMap(pluginsAt).map((plugin) => ({ ...plugin, consumer: true }));

const nameOf = (row: unknown, otherwise: string): string => textAt(row, 'name') ?? otherwise;

/** Kong, as a declarative file (format 2.1 or 3.0). */
export const kong: PlatformFormat = {
  read: (content) => {
    const file = parseYaml(content);
    if (!isObject(file) || file._format_version === undefined) return undefined;
    const global = [...pluginsAt(file), ...consumerPlugins(file)];
    const services = listAt(file, 'services');
    const nested = services.flatMap((service, at) =>
      listAt(service, 'routes').map(
        (route, index): Named => ({
          name: `${nameOf(service, `service ${at + 1}`)} / ${nameOf(route, `route ${index + 1}`)}`,
          own: pluginsAt(route),
          above: [pluginsAt(service), global],
        }),
      ),
    );
    const byName = new Map(services.map((service) => [textAt(service, 'name'), service]));
    const own = listAt(file, 'routes').map((route, at): Named => {
      const service = isObject(route) ? (isObject(route.service) ? textAt(route.service, 'name') : textAt(route, 'service')) : undefined;
      return { name: nameOf(route, `route ${at + 1}`), own: pluginsAt(route), above: [pluginsAt(byName.get(service)), global] };
    });
    const routes = [...nested, ...own];
    return { routes: routes.length, faults: routes.flatMap(routeFaults) };
  },
};
