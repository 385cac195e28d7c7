import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { McpServer } from '@svc/contract/peers/mcp/mcp-servers.ts';
import { type AgentAccess, getAgentAccess } from '../../agents/open-agent.ts';
import { sendWithConfirmation } from '../../calls/guarded.ts';
import { resolveId } from '../../calls/resolve-name.ts';
import { CommandError, EXIT, getUsageError } from '../../exit-codes.ts';
import { printResult } from '../../output/print.ts';
import type { Cli } from '../../session/cli.ts';
import type { HandOptions, RunCommand } from '../../session/hand-command.ts';
import { readFolderVariables } from '../../settings.ts';
import { confirmDanger } from '../../terminal/ask.ts';
import { escapeControlCharacters } from '../../terminal/io.ts';
import { type LoadedConfigFile, listChanged, readConfig, undoChange, writeConfig } from './config-files.ts';
import type { ConfigFile, Format } from './formats/format.ts';
import { FORMATS } from './formats/formats.ts';
import type { MovedSecret } from './plan/moved-secret.ts';
import { newPackagePins } from './plan/pin-packages.ts';
import { type Credentials, describeStep, type FilePlan, type FileStep, planFile, type SecretTerms } from './plan/plan-file.ts';
import { type NewCommand, newEdit, rewriteEntry } from './plan/rewrite-entry.ts';

const findFormat = (id: unknown): Format | undefined => {
  if (typeof id !== 'string') return undefined;
  const found = FORMATS.find((format) => format.id === id);
  if (found === undefined)
    throw getUsageError(`"${id}" is no client that is known.`, `Use one of: ${FORMATS.map((format) => format.id).join(', ')}`);
  return found;
};

type Found = { readonly file: ConfigFile; readonly format: Format };

/** The file that is named, or the files of one client or of all. */
const findFiles = ({ file, client }: HandOptions): readonly Found[] => {
  const format = findFormat(client);
  const folders = { home: homedir(), project: process.cwd(), platform: process.platform, env: readFolderVariables() };
  const known = (format === undefined ? FORMATS : [format]).flatMap((each) =>
    each.files(folders).map((found) => ({ file: found, format: each })),
  );
  if (typeof file !== 'string') return known;
  const path = resolve(file);
  const match = known.find((found) => found.file.path === path);
  if (match !== undefined) return [match];
  if (format === undefined) throw getUsageError(`Name the client that reads ${file} with --client.`);
  return [{ file: { path, scope: 'USER' }, format }];
};

type Planned = { readonly read: LoadedConfigFile; readonly plan: FilePlan };

const planAll = (options: HandOptions, terms: SecretTerms): readonly Planned[] => {
  const seen = new Set<string>();
  return findFiles(options).flatMap(({ file, format }) => {
    const read = readConfig(file.path);
    if (read === undefined || seen.has(read.path)) return [];
    seen.add(read.path);
    return [{ read, plan: planFile(read.path, file.scope, format, read.text, terms) }];
  });
};

const readCredentials = ({ credential }: HandOptions): Credentials => {
  const given = Array.isArray(credential) ? credential.map(String) : [];
  return Object.fromEntries(
    given.map((text) => {
      const at = text.lastIndexOf('=');
      if (at < 1) throw getUsageError(`"${text}" is not NAME=crd_… or NAME=none.`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
};

/** The command that starts this program: by its name in files that a team shares, by its full path elsewhere, since desktop clients start with a bare PATH. */
const programWords = ({ program }: HandOptions, { scope }: FilePlan): readonly string[] => {
  if (typeof program === 'string') return [program];
  const [, script] = process.argv;
  return scope === 'PROJECT' || script === undefined ? ['svc'] : [process.execPath, realpathSync(script)];
};

const agentWords = ({ agentId, keyFile, gatewayUrl }: AgentAccess): readonly string[] => [
  ...['--gateway', gatewayUrl, '--agent', agentId, '--key-file', keyFile],
];

const newCommand = (words: readonly string[], access: AgentAccess, rest: readonly string[]): NewCommand => {
  const [program = 'svc', ...before] = words;
  return { program, args: [...before, 'mcp', 'proxy', ...agentWords(access), ...rest] };
};

/** Stores the secret of a server as its credential, for its address alone. The file loses it afterwards. */
const moveSecret = async (cli: Cli, server: McpServer, secret: MovedSecret): Promise<void> => {
  const { id: serverId, name, environment_id, slug, transport } = server;
  const { hostname, port } = new URL(transport.url);
  const destinations = [port === '' ? hostname : `${hostname}:${port}`];
  const description = 'Moved from the configuration of an MCP client.';
  const body = { name: `MCP ${name}`, description, environment_id, destinations, servers: [slug], ...secret };
  const { id } = await sendWithConfirmation(cli, 'createCredential', (connection) => connection.client.createCredential({ body }));
  const change = { params: { serverId }, body: { credential_id: id } };
  await sendWithConfirmation(cli, 'updateMcpServer', (connection) => connection.client.updateMcpServer(change));
  cli.io.note(
    `${escapeControlCharacters(name)}: the credential ${id} sends the secret from now on. Revoke the old secret when the server works.`,
  );
};

/** Registers a remote server, or finds the one with the same address. */
const registerServer = async (
  cli: Cli,
  environmentId: string,
  { entry, server, credentialId, secret }: Extract<FileStep, { action: 'REGISTER' }>,
): Promise<string> => {
  const { client } = await cli.connect();
  const url = new URL(server.url).href;
  const existing = (await client.listMcpServers({ query: { environment_id: environmentId, limit: 100 } })).find(
    ({ transport }) => new URL(transport.url).href === url,
  );
  if (existing !== undefined) {
    // An import that broke off after the registration is completed by the next one.
    if (secret !== undefined && existing.credential_id === null) await moveSecret(cli, existing, secret);
    return existing.id;
  }
  const body = {
    ...{ name: entry.name, environment_id: environmentId, transport: { type: 'HTTP' as const, url: server.url } },
    ...(credentialId === undefined ? {} : { credential_id: credentialId }),
  };
  const added = await sendWithConfirmation(cli, 'registerMcpServer', (connection) => connection.client.registerMcpServer({ body }));
  if (secret !== undefined) await moveSecret(cli, added, secret);
  return added.id;
};

type Applying = {
  readonly cli: Cli;
  readonly options: HandOptions;
  readonly access: AgentAccess;
  readonly environmentId: () => Promise<string>;
};

const stepCommand = async (
  { cli, options, access, environmentId }: Applying,
  plan: FilePlan,
  step: FileStep,
): Promise<NewCommand | undefined> => {
  const words = programWords(options, plan);
  if (step.action === 'PROXY') {
    const { prefix, server, pin } = step;
    const mark = pin?.kind === 'PINNED' ? ['--integrity', pin.integrity] : pin === undefined ? [] : ['--unpinned'];
    const args = pin?.kind === 'PINNED' ? pin.args : server.args;
    return newCommand(words, access, ['--prefix', prefix, ...mark, '--', server.program, ...args]);
  }
  if (step.action === 'REGISTER') return newCommand(words, access, ['--server', await registerServer(cli, await environmentId(), step)]);
  return undefined;
};

type Outcome = { readonly file: string; readonly client: string; readonly servers: readonly object[]; readonly changed: boolean };

const outcomeOfPlan = ({ plan }: Planned, changed: boolean): Outcome => ({
  ...{ file: plan.path, client: plan.format.id, changed },
  servers: plan.steps.map(describeStep),
});

const applyPlan = async (applying: Applying, planned: Planned): Promise<Outcome> => {
  const { read, plan } = planned;
  let text = read.text;
  for (const step of plan.steps) {
    const command = await stepCommand(applying, plan, step);
    if (command === undefined) continue;
    const next = rewriteEntry(plan.format, text, newEdit(plan.format, step.entry, command, step.action === 'REGISTER'));
    if (next === undefined)
      applying.cli.io.note(
        `${escapeControlCharacters(step.entry.name)} is left: its text cannot be changed without changing more. Edit it by hand.`,
      );
    text = next ?? text;
  }
  const isChanged = text !== read.text;
  if (isChanged) await writeConfig(applying.cli.settings, read, text);
  return outcomeOfPlan(planned, isChanged);
};

const showPlan = ({ io }: Cli, planned: readonly Planned[]): void => {
  for (const { plan } of planned) {
    io.note(`${plan.format.name}  ${escapeControlCharacters(plan.path)}`);
    for (const step of plan.steps) {
      const { name, action, detail, env = [], package: pinned, not_pinned } = describeStep(step);
      const facts = [
        ...(env.length === 0 ? [] : [`environment: ${env.join(', ')}`]),
        ...(pinned === undefined ? [] : [`pinned: ${pinned.name}@${pinned.version}`]),
        ...(not_pinned === undefined ? [] : [`not pinned: ${not_pinned}`]),
      ];
      const shown = [detail, ...facts.map((fact) => `(${fact})`)].map(escapeControlCharacters).join('  ');
      io.note(`  ${action.padEnd(8)} ${escapeControlCharacters(name)}  ${shown}`);
    }
  }
  if (planned.length === 0) io.note('No configuration was found. Name one with --file and --client.');
};

const undoAll = async (cli: Cli, { file }: HandOptions): Promise<void> => {
  const paths = typeof file === 'string' ? [readConfig(resolve(file))?.path ?? resolve(file)] : listChanged(cli.settings);
  if (paths.length === 0) throw new CommandError(EXIT.notFound, 'Nothing was imported.', undefined, 'NOT_FOUND');
  for (const path of paths) await undoChange(cli.settings, path);
  printResult(cli, { restored: paths }, () => {
    for (const path of paths) cli.io.out(`Restored ${escapeControlCharacters(path)}`);
  });
};

const NEXT = [
  'Next: register the tools of local servers with "svc mcp register --prefix <name>. --agent <agent> -- <command>",',
  'discover and authorize those of remote ones with "svc mcp servers discover <server>", and restart the clients.',
  'svc mcp import --undo restores the files, with their secrets. A person who starts a local server in another way bypasses the proxy.',
] as const;

const findEnvironment = async (cli: Cli, agentId: string): Promise<string> => {
  if (cli.environment !== undefined) return resolveId(cli, 'environmentId', cli.environment);
  const { client } = await cli.connect();
  return (await client.getAgent({ params: { agentId } })).environment_id;
};

/** Puts the servers of existing client configurations under governance: shows the plan, and with --apply rewrites the files. */
export const importConfigurations: RunCommand = async (cli, _args, options) => {
  if (options.undo === true) return undoAll(cli, options);
  const pins = newPackagePins();
  const planned: Planned[] = [];
  for (const { read, plan } of planAll(options, { credentials: readCredentials(options), movesSecrets: options.moveSecrets === true }))
    planned.push({ read, plan: await pins.pinPlan(plan) });
  showPlan(cli, planned);
  const count = planned.flatMap(({ plan }) => plan.steps).filter(({ action }) => action === 'PROXY' || action === 'REGISTER').length;
  if (options.apply !== true || count === 0) {
    printResult(
      cli,
      planned.map((each) => outcomeOfPlan(each, false)),
      () => cli.io.out(`${count} to change. Nothing was written${count === 0 ? '.' : '; repeat with --apply.'}`),
    );
    return EXIT.ok;
  }
  const access = await getAgentAccess(cli, options);
  await confirmDanger(cli.io, `Rewrite ${count} servers in ${planned.length} files?`, cli.options.yes === true);
  let environment: Promise<string> | undefined;
  const environmentId = (): Promise<string> => (environment ??= findEnvironment(cli, access.agentId));
  const outcomes: Outcome[] = [];
  for (const each of planned) outcomes.push(await applyPlan({ cli, options, access, environmentId }, each));
  printResult(cli, outcomes, () => {
    for (const { file, changed } of outcomes) cli.io.out(`${changed ? 'Changed' : 'Same   '} ${escapeControlCharacters(file)}`);
    for (const line of NEXT) cli.io.note(line);
  });
  return EXIT.ok;
};
