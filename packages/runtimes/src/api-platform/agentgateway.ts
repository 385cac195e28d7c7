import { isObject, listAt, objectAt, textAt } from '../digest/json.ts';
import { parseYaml } from '../digest/parse-yaml.ts';
import { fault, type PlatformFormat, type RouteFault } from './platform-format.ts';

const stdioTarget = (route: unknown): string | undefined =>
  listAt(route, 'backends')
    .flatMap((backend) => listAt(objectAt(backend, 'mcp'), 'targets'))
    .filter((target) => isObject(target) && target.stdio !== undefined)
    .map((target) => textAt(target, 'name') ?? 'target')[0];

const routeFaults = (name: string, route: unknown): RouteFault[] => {
  const policies = objectAt(route, 'policies');
  const { extAuthz } = policies;
  const stdio = stdioTarget(route);
  const local = stdio === undefined ? [] : [fault('ROUTE_AROUND', 'HIGH', `${name} / ${stdio}`, 'It starts an MCP server of its own.')];
  if (!isObject(extAuthz)) return [fault('ROUTE_AROUND', 'HIGH', name, 'It has no extAuthz policy.'), ...local];
  const ttl = textAt(objectAt(extAuthz, 'cache'), 'ttl');
  return [
    ...(extAuthz.failureMode === 'FailOpen' || extAuthz.failureMode === 'failOpen' || extAuthz.failureMode === 'allow'
      ? [fault('AUTHZ_FAIL_OPEN', 'CRITICAL', name, 'failureMode lets requests pass when the service does not answer.')]
      : []),
    ...(ttl === undefined
      ? []
      : [fault('AUTHZ_CACHED', 'MEDIUM', name, `Decisions are cached for ${ttl.slice(0, 20)}: a revocation takes effect later.`)]),
    ...local,
  ];
};

/** agentgateway, as its local configuration file. */
export const agentgateway: PlatformFormat = {
  read: (content) => {
    const file = parseYaml(content);
    if (!isObject(file) || !Array.isArray(file.binds)) return undefined;
    const routes = listAt(file, 'binds').flatMap((bind, at) =>
      listAt(bind, 'listeners').flatMap((listener, index) =>
        listAt(listener, 'routes').map((route, each) => {
          const names = [textAt(listener, 'name') ?? `listener ${at + 1}.${index + 1}`, textAt(route, 'name') ?? `route ${each + 1}`];
          return { name: names.join(' / '), route };
        }),
      ),
    );
    return { routes: routes.length, faults: routes.flatMap(({ name, route }) => routeFaults(name, route)) };
  },
};
