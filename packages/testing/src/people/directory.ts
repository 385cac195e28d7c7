import type { NameServer } from '../peers/name-server.ts';
import type { Planes } from '../planes/start-planes.ts';
import { call, mustCall } from './client.ts';
import { newTenant, stepUp } from './tenant.ts';
import { newControlClient } from './typed-client.ts';

const PATCH = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];

/** Creates an organization with a verified domain and a SCIM token, and calls SCIM with that token. */
export const newDirectory = async (planes: Planes, names: NameServer) => {
  const tenant = await newTenant(planes);
  const { token } = tenant;
  await stepUp(planes.controlUrl, tenant);
  const domain = `${tenant.organization_id.slice('org_'.length).toLowerCase()}.example`;
  const connection = await mustCall(planes.controlUrl, 'POST', '/v1/sso/connections', {
    ...{ token, body: { name: 'Provider', issuer: 'http://127.0.0.1:9', client_id: 'us', domains: [domain] } },
  });
  const { record } = connection.domains[0];
  names.publish(record.name, record.value);
  await newControlClient(planes.controlUrl, token).testSsoConnection({ params: { connectionId: connection.id }, body: {} });
  const { token: secret } = await newControlClient(planes.controlUrl, token).createScimToken({ body: {} });
  const ask = (method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) =>
    call(planes.controlUrl, method, `/scim/v2${path}`, {
      token: secret as string,
      headers: { 'content-type': 'application/scim+json', ...headers },
      ...(body ? { raw: JSON.stringify(body) } : {}),
    });
  const patch = (path: string, ...Operations: readonly object[]) => ask('PATCH', path, { schemas: PATCH, Operations });
  return { tenant, domain, connection, ask, patch };
};
