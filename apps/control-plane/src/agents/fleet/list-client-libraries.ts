import type { Endpoints } from '@svc/contract/endpoints.ts';
import { pickNewestVersion, versionDrift } from '@svc/domain/agents/fleet/version-drift.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { API_VERSION } from '@svc/http/documents/version.ts';
import { readClientLibraries } from '@svc/postgres/agents/fleet/client-libraries.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { AgentsDeps } from '../deps.ts';

/** The library that is released with this service. */
const OWN_LIBRARY = '@svc/sdk';

/** Lists the client libraries that the agents report. A false version only makes other agents look outdated. */
export const listClientLibraries: Handler<Endpoints['listClientLibraries'], AgentsDeps> = async (call) => {
  const found = await searchInTenant(call.database, call.scope, (tx) => readClientLibraries(tx, call.scope.organization_id));
  const versions = Map.groupBy(found.libraries, ({ name }) => name);
  const references = new Map([...versions].map(([name, of]) => [name, pickNewestVersion(of.map(({ version }) => version))]));
  references.set(OWN_LIBRARY, API_VERSION);
  const libraries = found.libraries.map((library) => {
    const reference = references.get(library.name) ?? library.version;
    return { ...library, reference, drift: versionDrift(library.version, reference) };
  });
  const outdated = libraries.reduce((sum, { drift, agents }) => sum + (drift === 'OLDER' ? agents : 0), 0);
  return { ...found, libraries, outdated };
};
