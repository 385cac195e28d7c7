import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { isObject, listAt, objectAt, textAt } from '../digest/json.ts';
import { parseYaml } from '../digest/parse-yaml.ts';
import { fault, type PlatformFormat, type RouteFault } from './platform-format.ts';

const EXT_AUTHZ = 'envoy.filters.http.ext_authz';
const ROUTER = 'envoy.filters.http.router';
const MANAGER = 'http_connection_manager';
const CHAIN_MAX = 200;

type Scope = { readonly name: string; readonly isDisabled: boolean };

const isDisabledAt = (holder: unknown): boolean => {
  const override = objectAt(objectAt(holder, 'typed_per_filter_config'), EXT_AUTHZ);
  const inner = isObject(override.config) ? override.config : override;
  return inner.disabled === true;
};

const weightedClusters = (route: unknown): readonly unknown[] =>
  listAt(objectAt(objectAt(route, 'route'), 'weighted_clusters'), 'clusters');

/** Every place that a request can be routed to, with its overrides of the filter. */
const scopesIn = (routeConfig: JsonObject): Scope[] =>
  listAt(routeConfig, 'virtual_hosts').flatMap((host, at) => {
    const hostName = textAt(host, 'name') ?? `host ${at + 1}`;
    const isHostDisabled = isDisabledAt(host);
    return listAt(host, 'routes').flatMap((route, index): Scope[] => {
      const name = `${hostName} / ${textAt(route, 'name') ?? `route ${index + 1}`}`;
      const isDisabled = isHostDisabled || isDisabledAt(route);
      const clusters = weightedClusters(route).map((cluster, each) => ({
        name: `${name} / ${textAt(cluster, 'name') ?? `cluster ${each + 1}`}`,
        isDisabled: isDisabled || isDisabledAt(cluster),
      }));
      return clusters.length === 0 ? [{ name, isDisabled }] : clusters;
    });
  });

const fraction = (config: JsonObject): number | undefined => {
  const { numerator, denominator } = objectAt(objectAt(config, 'filter_enabled'), 'default_value');
  if (typeof numerator !== 'number') return undefined;
  return numerator / (denominator === 'TEN_THOUSAND' ? 10_000 : denominator === 'MILLION' ? 1_000_000 : 100);
};

const filterName = (filter: unknown): string => textAt(filter, 'name') ?? '';

const managerFaults = (listener: string, manager: JsonObject): { readonly routes: number; readonly faults: RouteFault[] } => {
  const filters = listAt(manager, 'http_filters').slice(0, CHAIN_MAX);
  const scopes = scopesIn(objectAt(manager, 'route_config'));
  const at = filters.findIndex((filter) => filterName(filter) === EXT_AUTHZ);
  const router = filters.findIndex((filter) => filterName(filter) === ROUTER);
  const filter = filters[at];
  const isAbsent = filter === undefined || (isObject(filter) && filter.disabled === true) || (router >= 0 && router < at);
  if (isAbsent) {
    const because = 'Its filter chain has no authorization filter in front of the router.';
    return { routes: scopes.length, faults: scopes.map(({ name }) => fault('ROUTE_AROUND', 'HIGH', `${listener} / ${name}`, because)) };
  }
  const config = objectAt(filter, 'typed_config');
  const share = fraction(config);
  return {
    routes: scopes.length,
    faults: [
      ...(config.failure_mode_allow === true
        ? [fault('AUTHZ_FAIL_OPEN', 'CRITICAL', listener, 'failure_mode_allow lets requests pass when the service does not answer.')]
        : []),
      ...(share !== undefined && share < 1
        ? [fault('AUTHZ_FAIL_OPEN', 'CRITICAL', `${listener} / share`, 'filter_enabled applies to a part of the requests.')]
        : []),
      ...scopes
        .filter(({ isDisabled }) => isDisabled)
        .map(({ name }) =>
          fault('AUTHZ_DISABLED_ON_ROUTE', 'HIGH', `${listener} / ${name}`, 'typed_per_filter_config disables the filter.'),
        ),
    ],
  };
};

const listenersIn = (file: JsonObject): readonly unknown[] => {
  const fixed = listAt(objectAt(file, 'static_resources'), 'listeners');
  return fixed.length > 0 ? fixed : listAt(file, 'listeners').length > 0 ? listAt(file, 'listeners') : listAt(file, 'resources');
};

/** Envoy, as a v3 bootstrap or a list of listeners. */
export const envoy: PlatformFormat = {
  read: (content) => {
    const file = parseYaml(content);
    const listeners = isObject(file) ? listenersIn(file) : [];
    if (listeners.length === 0) return undefined;
    const managers = listeners.flatMap((listener, at) =>
      listAt(listener, 'filter_chains')
        .flatMap((chain) => listAt(chain, 'filters'))
        .filter((filter) => filterName(filter).includes(MANAGER))
        .map((filter) => managerFaults(textAt(listener, 'name') ?? `listener ${at + 1}`, objectAt(filter, 'typed_config'))),
    );
    return { routes: managers.reduce((sum, { routes }) => sum + routes, 0), faults: managers.flatMap(({ faults }) => faults) };
  },
};
