import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { createFreshDatabase } from '@svc/testing/database/database.ts';
import { type IdentityProvider, startIdentityProvider } from '@svc/testing/peers/identity-provider.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import { getStoredHash } from '@svc/testing/records/new-secret.ts';
import type pg from 'pg';

/** Two control planes on one database, and one with an unused set-up link. */
export type RaceScene = {
  /** Addresses of both; the first one is the service's public address. */
  readonly urls: readonly string[];
  readonly planes: Planes;
  /** Public address of the service. */
  readonly baseUrl: string;
  readonly owner: pg.Client;
  readonly tenant: Tenant;
  readonly provider: IdentityProvider;
  readonly connectionId: string;
  readonly firstStartUrl: string;
  readonly firstStartOwner: pg.Client;
  /** Resets counters and queued mails, since all requests come from one address. */
  readonly forget: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Higher than the number of concurrent wrong attempts, which are not under test. */
export const SETTINGS = { MAX_LOGIN_ATTEMPTS: '1000', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.1/32' };

/** Creates a domain without verification, since names are not resolved here. */
const connectProvider = async (owner: pg.Client, tenant: Tenant, provider: IdentityProvider): Promise<string> => {
  const { controlUrl, token } = tenant;
  await stepUp(controlUrl, tenant);
  const { issuer, clientId, clientSecret } = provider;
  const { id } = await newControlClient(controlUrl, token).createSsoConnection({
    body: {
      ...{ name: 'Races', issuer, client_id: clientId, client_secret: clientSecret, domains: ['races.example'] },
      ...{ jit: true, default_role_id: getBuiltInRole('viewer').id, scopes: ['openid', 'email'] },
    },
  });
  await owner.query('update sso_domains set verified_at = now()');
  return id;
};

/** Restores the set-up link, as after the first start. */
export const renewSetupLink = async ({ firstStartOwner }: RaceScene, token: string): Promise<void> => {
  await firstStartOwner.query("update users set email = lower(id) || '@demo.example'");
  await firstStartOwner.query('delete from setup_links');
  await firstStartOwner.query('insert into setup_links (token_hash) values ($1)', [getStoredHash(token)]);
};

/** Returns the address of a plane itself, independent of the public address. */
export const getPlaneUrl = (port: number): string => `http://127.0.0.1:${port}`;

export const setScene = async (): Promise<RaceScene> => {
  const [port, otherPort, database] = [await freePort(), await freePort(), await createFreshDatabase()];
  const base = `http://localhost:${port}`;
  const env = { ...SETTINGS, SVC_BASE_URL: base };
  const provider = await startIdentityProvider({ redirectUris: [`${base}/v1/auth/sso/callback`] });
  const [one, other, first] = await Promise.all([
    startPlanes({ gateways: 0, database, env: { ...env, CONTROL_PLANE_PORT: String(port) } }),
    startPlanes({ gateways: 0, database, env: { ...env, CONTROL_PLANE_PORT: String(otherPort) } }),
    startPlanes({ gateways: 0, env: { ...SETTINGS, SVC_SIGNUP: 'closed' } }),
  ]);
  const [owner, firstStartOwner] = await Promise.all([database.client(), first.database.client()]);
  const tenant = await newTenant(one);
  return {
    ...{
      planes: one,
      baseUrl: base,
      owner,
      tenant,
      provider,
      firstStartOwner,
      urls: [one.controlUrl, getPlaneUrl(otherPort)],
      firstStartUrl: first.controlUrl,
    },
    connectionId: await connectProvider(owner, tenant, provider),
    forget: async () => {
      for (const table of ['sign_in_failures', 'mails', 'cli_requests', 'sso_attempts']) await owner.query(`delete from ${table}`);
    },
    stop: async () => {
      await Promise.all([owner.end(), firstStartOwner.end()]);
      await Promise.all([one.stop(), other.stop(), first.stop(), provider.close()]);
      await database.drop();
    },
  };
};
