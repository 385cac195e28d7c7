import { once } from 'node:events';
import { installPackage, PackageError } from '@svc/stdio/packages/pinned-package.ts';
import { type Configuration, DEFAULTS, type ServerConfiguration } from './configuration/configuration.ts';
import { ConfigurationError, readConfiguration, readSecret } from './configuration/read-configuration.ts';
import { newHttpServer } from './http/serve.ts';
import { type HostedServer, newHostedServer } from './servers/hosted-server.ts';
import type { OnServerEvent } from './servers/lifecycle.ts';
import { checkSandbox, newServerCommand } from './servers/server-command.ts';

const USAGE = 'Usage: node apps/connector/src/main.ts [install] <configuration>';

const log = (event: string, facts: object): void =>
  void process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), event, ...facts })}\n`);

const newServer = (name: string, server: ServerConfiguration): HostedServer => {
  const onEvent: OnServerEvent = (event, facts) => log(event, { server: name, ...facts });
  const limits = {
    callsMax: server.calls_max ?? DEFAULTS.calls_max,
    callMs: (server.call_seconds ?? DEFAULTS.call_seconds) * 1_000,
    lineBytesMax: server.line_bytes_max ?? DEFAULTS.line_bytes_max,
    idleMs: (server.idle_seconds ?? DEFAULTS.idle_seconds) * 1_000,
  };
  return newHostedServer(newServerCommand(name, server), limits, onEvent);
};

const serve = async ({ host = DEFAULTS.host, port, secret_file, servers }: Configuration): Promise<void> => {
  const secret = readSecret(secret_file);
  if (Object.values(servers).some(({ sandbox }) => sandbox !== 'NONE')) checkSandbox();
  const hosted = new Map(Object.entries(servers).map(([name, server]) => [name, newServer(name, server)]));
  const http = newHttpServer(hosted, secret, (error) => log('failed', { reason: error instanceof Error ? error.message : 'error' }));
  http.listen(port, host);
  await once(http, 'listening');
  const address = http.address();
  const listening = typeof address === 'object' && address !== null ? address.port : port;
  log('listening', { addresses: [...hosted.keys()].map((name) => `http://${host}:${listening}/${name}/mcp`) });
  const stop = async (): Promise<void> => {
    http.close();
    http.closeAllConnections();
    await Promise.all([...hosted.values()].map((server) => server.stop()));
    log('stopped', {});
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
};

const install = ({ servers }: Configuration): void => {
  for (const [name, { package: pinned }] of Object.entries(servers)) {
    if (pinned === undefined) continue;
    installPackage(pinned, { env: process.env });
    log('installed', { server: name, package: `${pinned.name}@${pinned.version}` });
  }
};

const run = async (words: readonly string[]): Promise<void> => {
  const isInstall = words[0] === 'install' && words.length === 2;
  const path = words.at(-1);
  if (path === undefined || words.length > (isInstall ? 2 : 1)) throw new ConfigurationError(USAGE);
  const configuration = readConfiguration(path);
  if (isInstall) install(configuration);
  else await serve(configuration);
};

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigurationError || error instanceof PackageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
