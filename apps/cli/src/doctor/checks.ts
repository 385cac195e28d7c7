import { statSync } from 'node:fs';
import { type ControlClient, createControlClient, createGatewayClient, type GatewayClient } from '@svc/client/client.ts';
import { bearerTransport } from '@svc/client/transports/bearer.ts';
import { getCredentialsPath } from '../files/credentials-file.ts';
import type { Cli, CliConnection } from '../session/cli.ts';

export type Status = 'ok' | 'warn' | 'fail' | 'skipped';
export type DoctorFinding = { readonly status: Status; readonly message: string; readonly remedy?: string };
export type DoctorCheck = { readonly group: string; readonly name: string; readonly run: (at: DoctorInput) => Promise<DoctorFinding> };

/** Input of the checks. The connection is missing if no one is signed in. */
export type DoctorInput = {
  readonly cli: Cli;
  readonly control: ControlClient | undefined;
  readonly gateway: () => Promise<GatewayClient>;
  readonly connection: CliConnection | undefined;
};

const NODE_MIN = [20, 12] as const;
const CLOCK_MAX_S = 30;
const SOON_MS = 14 * 86_400_000;

const ok = (message: string): DoctorFinding => ({ status: 'ok', message });
const warn = (message: string, remedy: string): DoctorFinding => ({ status: 'warn', message, remedy });
const fail = (message: string, remedy: string): DoctorFinding => ({ status: 'fail', message, remedy });
const skipped = (message: string): DoctorFinding => ({ status: 'skipped', message });

const needAddress = skipped('The address of the service is not known.');
const needSession = skipped('No one is signed in.');

/** Opens what checks look at. The gateway's address is what the service itself publishes. */
export const openChecked = async (cli: Cli, connection: CliConnection | undefined, url: string | undefined): Promise<DoctorInput> => {
  const control =
    url === undefined ? undefined : createControlClient({ transport: bearerTransport({ url }), timeoutMs: 10_000, retries: 0 });
  return {
    cli,
    connection,
    control,
    gateway: async () => {
      const info = await connection?.client.getInfo();
      return createGatewayClient({ transport: bearerTransport({ url: info?.gateway_url ?? '' }), timeoutMs: 10_000, retries: 0 });
    },
  };
};

const mode = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.mode;

const checkMode = (path: string, wanted: string): DoctorFinding => {
  const found = mode(path);
  if (found === undefined) return skipped(`${path} does not exist.`);
  if (process.platform === 'win32' || (found & 0o077) === 0) return ok(`${path} is private.`);
  return fail(`Other users of this machine can read ${path}.`, `chmod ${wanted} ${path}`);
};

const HERE: readonly DoctorCheck[] = [
  {
    group: 'here',
    name: 'node',
    run: async () => {
      const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
      const isEnough = major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1]);
      return isEnough
        ? ok(`Node ${process.versions.node}.`)
        : fail(`Node ${process.versions.node} is too old.`, 'Install Node 20.12 or later.');
    },
  },
  { group: 'here', name: 'folder', run: async ({ cli }) => checkMode(cli.settings.configFolder, '700') },
  { group: 'here', name: 'credentials file', run: async ({ cli }) => checkMode(getCredentialsPath(cli.settings), '600') },
  {
    group: 'here',
    name: 'proxy',
    run: async ({ cli }) =>
      cli.settings.proxies.length === 0
        ? ok('No proxy variables are set.')
        : warn(
            `${cli.settings.proxies.join(', ')} is set; this program connects directly.`,
            'Run it where the service can be reached without the proxy.',
          ),
  },
  {
    group: 'here',
    name: 'clock',
    run: async ({ control }) => {
      if (control === undefined) return needAddress;
      const before = Date.now();
      const outcome = await control.request('controlLive');
      if (!outcome.ok) return skipped('The service does not respond.');
      const served = Date.parse(outcome.headers.get('date') ?? '');
      if (Number.isNaN(served)) return skipped('The service sends no Date header.');
      const off = Math.round(Math.abs(served - (before + Date.now()) / 2) / 1000);
      return off <= CLOCK_MAX_S
        ? ok(`The clock is ${off} s from that of the service.`)
        : fail(`The clock is ${off} s off.`, 'Synchronize it: assertions of agents are refused outside their window.');
    },
  },
];

const isLoopback = (url: string): boolean => ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);

const SERVICE: readonly DoctorCheck[] = [
  {
    group: 'service',
    name: 'control plane',
    run: async ({ control, cli }) => {
      if (control === undefined) return fail('The address of the service is not known.', 'svc login --url https://…');
      const outcome = await control.request('controlLive');
      return outcome.ok
        ? ok(`${cli.url()} responds.`)
        : fail(
            `${cli.url()} does not respond: ${outcome.error.message}`,
            'Start the service, or correct the address: svc config set url …',
          );
    },
  },
  {
    group: 'service',
    name: 'readiness',
    run: async ({ control }) => {
      if (control === undefined) return needAddress;
      const outcome = await control.request('controlReady');
      if (!outcome.ok)
        return fail(
          `The control plane is not ready: ${outcome.error.message}`,
          'See its log, and svc service ready --json for the part that fails.',
        );
      return ok(
        Object.entries(outcome.body.checks)
          .map(([part, state]) => `${part} ${state}`)
          .join(', ') || 'Ready.',
      );
    },
  },
  {
    group: 'service',
    name: 'encryption',
    run: async ({ control, cli }) => {
      if (control === undefined) return needAddress;
      const url = cli.url();
      return url.startsWith('https:') || isLoopback(url)
        ? ok(url.startsWith('https:') ? 'TLS.' : 'Loopback address.')
        : fail(`${url} is not encrypted.`, 'Serve it over https: tokens travel with every request.');
    },
  },
  {
    group: 'service',
    name: 'gateway',
    run: async ({ connection, gateway }) => {
      if (connection === undefined) return needSession;
      const outcome = await (await gateway()).request('gatewayReady');
      const { gateway_url } = await connection.client.getInfo();
      return outcome.ok
        ? ok(`${gateway_url} is ready.`)
        : fail(
            `${gateway_url} is not ready: ${outcome.error.message}`,
            'Start the gateway, or correct its public address in its settings.',
          );
    },
  },
  {
    group: 'service',
    name: 'audience',
    run: async ({ connection, gateway }) => {
      if (connection === undefined) return needSession;
      const outcome = await (await gateway()).request('getPlatformKey');
      if (!outcome.ok) return skipped('The gateway does not publish its key.');
      const { gateway_url } = await connection.client.getInfo();
      const { audience } = outcome.body;
      return audience.startsWith(gateway_url) || gateway_url.startsWith(audience)
        ? ok(`Agents sign for ${audience}.`)
        : warn(`Agents sign for ${audience}, and the gateway is at ${gateway_url}.`, 'Use the published audience exactly; the SDK does.');
    },
  },
  {
    group: 'service',
    name: 'version',
    run: async ({ connection, cli }) => {
      if (connection === undefined) return needSession;
      const { version } = await connection.client.getInfo();
      return version === cli.version
        ? ok(`Both are ${version}.`)
        : warn(
            `The service is ${version}, this program is ${cli.version}.`,
            'Install the version of the service; older programs work, without newer commands.',
          );
    },
  },
];

const ACCOUNT: readonly DoctorCheck[] = [
  {
    group: 'account',
    name: 'session',
    run: async ({ connection }) => {
      if (connection === undefined) return fail('No one is signed in.', 'svc login, or set SVC_TOKEN');
      const outcome = await connection.client.request('getSession');
      if (!outcome.ok) return fail(`The session is not accepted (${outcome.error.code}).`, 'svc login');
      const minutes = Math.round((Date.parse(outcome.body.expires_at) - Date.now()) / 60_000);
      return minutes > 15 ? ok(`Valid until ${outcome.body.expires_at}.`) : warn(`It ends in ${minutes} minutes.`, 'svc login');
    },
  },
  {
    group: 'account',
    name: 'second factor',
    run: async ({ connection }) => {
      if (connection === undefined) return needSession;
      if (connection.isKey) return skipped('An API key has no second factor, and cannot step up.');
      const { factors } = await connection.client.getMfa();
      return factors.length > 0
        ? ok(`${factors.length} enrolled.`)
        : warn('None is enrolled; a step-up uses the password.', 'Enrol one in the console, or: svc account add-totp');
    },
  },
];

const endsSoon = (expiresAt: string | null | undefined): boolean =>
  typeof expiresAt === 'string' && Date.parse(expiresAt) - Date.now() < SOON_MS;

const names = (items: readonly { readonly name: string }[]): string =>
  items
    .slice(0, 5)
    .map(({ name }) => name)
    .join(', ');

/** A check of the organization that needs a session and a permission; without the permission it is left out. */
const organizationCheck = (name: string, permission: string, run: (client: ControlClient) => Promise<DoctorFinding>): DoctorCheck => ({
  group: 'organization',
  name,
  run: async ({ connection }) => {
    if (connection === undefined) return needSession;
    const { permissions } = await connection.client.getSession();
    return permissions.includes(permission) ? run(connection.client) : skipped(`Needs ${permission}.`);
  },
});

const ORGANIZATION: readonly DoctorCheck[] = [
  organizationCheck('enforcement', 'environment:read', async (client) => {
    const weak = (await client.listEnvironments()).filter(
      ({ type, mode: found, archived_at }) => type === 'PRODUCTION' && found !== 'ENFORCE' && archived_at === null,
    );
    return weak.length === 0
      ? ok('Every production environment enforces.')
      : warn(`Not enforcing: ${names(weak)}.`, 'svc env mode <environment> enforce');
  }),
  organizationCheck('paused environments', 'environment:read', async (client) => {
    const paused = (await client.listEnvironments()).filter((each) => each.paused);
    return paused.length === 0 ? ok('None is paused.') : warn(`Paused: ${names(paused)}.`, 'svc env resume <environment> --reason …');
  }),
  organizationCheck('API keys', 'apikey:read', async (client) => {
    const ending = (await client.listApiKeys()).filter(({ expires_at }) => endsSoon(expires_at));
    return ending.length === 0 ? ok('None ends within 14 days.') : warn(`End within 14 days: ${names(ending)}.`, 'svc keys rotate <key>');
  }),
  organizationCheck('agents', 'agent:read', async (client) => {
    const { items } = await client.listAgents({ query: { status: 'ACTIVE', limit: 100 } });
    const ending = items.filter(({ expires_at }) => endsSoon(expires_at));
    return ending.length === 0
      ? ok(`${items.length} active, none ends within 14 days.`)
      : warn(`End within 14 days: ${names(ending)}.`, 'svc agents update <agent> --expires-at …');
  }),
  organizationCheck('client libraries', 'agent:read', async (client) => {
    const { outdated } = await client.listClientLibraries();
    return outdated === 0
      ? ok('No agent uses an outdated library.')
      : warn(`${outdated} agents use an outdated library.`, 'svc agents libraries');
  }),
  organizationCheck('delegations', 'delegation:read', async (client) => {
    const items = await client.listDelegations({ query: { status: 'ACTIVE', limit: 100 } });
    const ending = items.filter(({ expires_at }) => endsSoon(expires_at));
    return ending.length === 0 ? ok('None ends within 14 days.') : warn(`${ending.length} end within 14 days.`, 'svc delegations tree');
  }),
  organizationCheck('policies', 'policy:read', async (client) => {
    const policies = await client.listPolicies({ query: { limit: 100 } });
    const untested = policies.filter(
      ({ active_version, versions }) =>
        active_version !== null && versions.find(({ version_id }) => version_id === active_version.version_id)?.tests.length === 0,
    );
    if (policies.every(({ active_version }) => active_version === null))
      return warn('No policy is active.', 'svc policies create --template …, then svc policies activate');
    return untested.length === 0
      ? ok('Every active policy has tests.')
      : warn(`Active without tests: ${names(untested)}.`, 'Add tests: svc policies pull');
  }),
  organizationCheck('webhooks', 'webhook:read', async (client) => {
    const broken = (await client.listWebhooks()).filter(({ status }) => status !== 'ACTIVE');
    return broken.length === 0
      ? ok('Every subscription is active.')
      : warn(`Not active: ${names(broken)}.`, 'svc webhooks deliveries <webhook> --status FAILED');
  }),
  organizationCheck('audit record', 'audit:read', async (client) => {
    const { held_since } = await client.getAuditLog();
    return held_since === null
      ? ok('The log is sealed as events arrive.')
      : fail(`The log is held since ${held_since}.`, 'svc audit verify, then see the log of the worker');
  }),
];

const PROJECT: readonly DoctorCheck[] = [
  {
    group: 'project',
    name: 'svc.json',
    run: async ({ cli }) => (cli.project === undefined ? skipped('There is no svc.json here.') : ok(cli.project.path)),
  },
  {
    group: 'project',
    name: 'agent key',
    run: async ({ cli }) => {
      const { agent } = cli.project ?? {};
      return agent === undefined ? skipped('The project names no agent.') : checkMode(agent.keyFile, '600');
    },
  },
];

export const CHECKS: readonly DoctorCheck[] = [...HERE, ...SERVICE, ...ACCOUNT, ...ORGANIZATION, ...PROJECT];
