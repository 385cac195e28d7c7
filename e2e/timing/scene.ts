import { buildId } from '@svc/contract/tables/ids.ts';
import { type IdentityProvider, startIdentityProvider } from '@svc/testing/peers/identity-provider.ts';
import { newTenant, signUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import type pg from 'pg';

export const WRONG_PASSWORD = 'wrong horse battery staple';
export const KNOWN_DOMAIN = 'known.example';

/** A control plane with enough people that each is used once, and limits that are never reached. */
export type TimingScene = {
  readonly planes: StartedPlanes;
  readonly owner: pg.Client;
  readonly tenant: Tenant;
  /** Addresses with an account, each in an organization of its own. */
  readonly known: (n: number) => string;
  /** Addresses of the same length without an account. */
  readonly unknown: (n: number) => string;
  /** Resets counters and queued mails, since all requests come from one address. */
  readonly forget: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

const getAddress = (kind: string, n: number): string => `${kind}-${String(n).padStart(6, '0')}@${KNOWN_DOMAIN}`;

/** Inserts an organization and its owner for each number, with the password of an existing person; every third one has a second factor. */
const insertAccounts = async (owner: pg.Client, like: string, count: number): Promise<void> => {
  const numbers = Array.from({ length: count }, (_, n) => n);
  const ids = (noun: Parameters<typeof buildId>[0]): string[] => numbers.map(() => buildId(noun, newUlid()));
  const [organizations, users, members] = [ids('organization'), ids('user'), ids('member')];
  await owner.query('begin');
  await owner.query('insert into organizations (id, name) select id, id from unnest($1::text[]) id', [organizations]);
  await owner.query(
    `insert into users (id, email, name, password_hash)
     select id, email, id, (select password_hash from users where id = $3) from unnest($1::text[], $2::text[]) as u (id, email)`,
    [users, numbers.map((n) => getAddress('known-one', n)), like],
  );
  await owner.query(
    `insert into members (organization_id, id, user_id, role_id)
     select o, m, u, (select role_id from members where user_id = $4) from unnest($1::text[], $2::text[], $3::text[]) as x (o, m, u)`,
    [organizations, members, users, like],
  );
  await owner.query(
    `insert into second_factors (user_id, id, kind, name, confirmed_at, enrolled_in, sealed_secret)
     select u, 'fac_' || u, 'TOTP', 'phone', now(), 'none', 'none' from unnest($1::text[]) with ordinality as x (u, n) where n % 3 = 0`,
    [users],
  );
  await owner.query('commit');
  await owner.query('analyze');
};

const connectProvider = async (owner: pg.Client, { organization_id, user }: Tenant, { issuer, clientId }: IdentityProvider) => {
  const id = buildId('sso_connection', newUlid());
  await owner.query(
    `insert into sso_connections (organization_id, id, kind, name, issuer, client_id, scopes, jit, role_mapping, trusts_mfa, created_by)
     values ($1, $2, 'OIDC', 'known', $3, $4, array['openid'], false, '[]', false, $5)`,
    [organization_id, id, issuer, clientId, user.id],
  );
  await owner.query(
    'insert into sso_domains (organization_id, domain, connection_id, challenge, verified_at) values ($1, $2, $3, $3, now())',
    [organization_id, KNOWN_DOMAIN, id],
  );
};

const forgetWith = (owner: pg.Client) => async (): Promise<void> => {
  for (const table of ['sign_in_failures', 'mails', 'sso_attempts', 'invitations']) await owner.query(`delete from ${table}`);
};

export const setScene = async (accounts: number): Promise<TimingScene> => {
  const port = await freePort();
  const provider = await startIdentityProvider({ redirectUris: [`http://127.0.0.1:${port}/v1/auth/sso/callback`] });
  const env = { CONTROL_PLANE_PORT: String(port), MAX_LOGIN_ATTEMPTS: '1000', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.1/32' };
  const planes = await startPlanes({ gateways: 0, env });
  const owner = await planes.database.client();
  const tenant = await newTenant(planes);
  const like = await signUp(planes.controlUrl);
  await insertAccounts(owner, like.user.id, accounts);
  await connectProvider(owner, tenant, provider);
  return {
    ...{ planes, owner, tenant },
    known: (n) => getAddress('known-one', n),
    unknown: (n) => getAddress('nobody-at', n),
    forget: forgetWith(owner),
    stop: async () => {
      await owner.end();
      await Promise.all([planes.stop(), provider.close()]);
    },
  };
};
