import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import { startTokenServer, type TokenServer } from '../peers/token-server.ts';
import { mustCall, type TestResponse } from '../people/client.ts';
import { newControlClient } from '../people/typed-client.ts';
import type { Planes } from '../planes/start-planes.ts';
import { newUlid } from '../records/new-ulid.ts';
import { type Governed, newGoverned } from './governed.ts';

/** Settings that let the OAuth tests reach this machine. */
export const OAUTH_ENV = { GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8', SVC_CREDENTIALS_OVER_HTTP: 'true' };

/** A service that accepts one header and returns which. */
export type HeaderService = {
  readonly host: string;
  readonly url: string;
  readonly tokens: (string | undefined)[];
  /** Accepts or refuses a token. */
  takes: (token: string | undefined) => boolean;
  /** Additional content of each response. */
  tells: () => unknown;
  readonly close: () => void;
};

const startService = async (): Promise<HeaderService> => {
  const server = createServer((request, response) => {
    const token = request.headers.authorization;
    request.resume().once('end', () => {
      service.tokens.push(token);
      const body = JSON.stringify({ done: true, echo: token, tells: service.tells() });
      response.writeHead(service.takes(token) ? 200 : 401, { 'content-type': 'application/json' }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  const service: HeaderService = { host, url: `http://${host}/orders`, tokens: [], takes: () => true, tells: () => undefined, close };
  return service;
};

/** One agent, one tool that calls a service with an OAuth credential, and the server that issues its tokens. */
export type OauthScene = Governed & {
  readonly server: TokenServer;
  readonly service: HeaderService;
  readonly credentialId: string;
  readonly toolName: string;
  /** Calls the tool at one of the gateways. */
  readonly ship: (gateway?: number) => Promise<TestResponse>;
  readonly credential: () => Promise<TestResponse>;
  readonly close: () => Promise<void>;
};

export const CLIENT_SECRET = 'client-secret-of-the-application';

type Terms = { readonly oauth?: object; readonly more?: object; readonly server?: TokenServer };

export const newOauthScene = async (planes: Planes, { oauth = {}, more = {}, server: given }: Terms = {}): Promise<OauthScene> => {
  const [server, service] = await Promise.all([given ?? startTokenServer(), startService()]);
  const governed = await newGoverned(planes);
  const { tenant, agent, owner } = governed;
  const { controlUrl, token, environment_id } = tenant;
  const name = `ship.${newUlid().toLowerCase()}`;
  service.takes = server.isAccessToken;
  const terms = { grant: 'REFRESH_TOKEN', token_url: server.url, client_id: 'the-service', scope: 'orders', ...oauth };
  const isRefresh = terms.grant === 'REFRESH_TOKEN';
  const body = {
    ...{ name: `OAuth ${newUlid()}`, environment_id, scheme: 'BEARER', destinations: [service.host], tools: [name], oauth: terms },
    ...{ client_secret: CLIENT_SECRET, ...(isRefresh ? { refresh_token: server.firstToken() } : {}) },
    ...more,
  };
  const { id } = await mustCall(controlUrl, 'POST', '/v1/credentials', { token, body });
  const execution = { method: 'POST', url: service.url, credential_id: id };
  const declared = { name, environment_id, required_capability: 'pay', kind: 'HTTP', destination_allowlist: [service.host], execution };
  const tool = await mustCall(controlUrl, 'POST', '/v1/tools', { token, body: declared });
  await newControlClient(controlUrl, token).authorizeAgentForTool({ params: { toolId: tool.id }, body: { agent_id: agent.id } });
  return {
    ...governed,
    ...{ server, service, credentialId: id, toolName: name },
    ship: (gateway = 0) => governed.act({ tool: name }, { gateway }),
    credential: () => owner('GET', `/v1/credentials/${id}`),
    close: async () => {
      service.close();
      await server.close();
    },
  };
};

/** Expires tokens immediately: the access token is no longer valid, and no gateway has it cached. */
export const expireTokens = async ({ credentialId, owner: send }: OauthScene, database: pg.Client): Promise<void> => {
  const rotated = await send('POST', `/v1/credentials/${credentialId}/rotate`, { client_secret: CLIENT_SECRET });
  if (rotated.status !== 200) throw new Error(rotated.text);
  await database.query(
    `update credential_tokens set access_ends_at = now() - interval '1 second', lease_began_at = null
      where credential_id = $1 and sealed_access_token is not null`,
    [credentialId],
  );
};
