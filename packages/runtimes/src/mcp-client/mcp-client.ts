import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { digestText } from '../digest/digest.ts';
import { isObject, listAt, objectAt, textAt } from '../digest/json.ts';
import { parseLooseJson } from '../digest/parse-json.ts';
import type {
  DigestedFile,
  FoundFinding,
  InspectionTerms,
  NewEvidence,
  ReportedFile,
  ReportReader,
  RuntimeKindRow,
  StoredReport,
} from '../kind.ts';
import { newestFiles, ofReport } from '../reports/report-findings.ts';
import { hostOfOrigin, isListed, readDestination } from '../workflow-automation/n8n/destination.ts';
import { findSecret, isNamedSecret } from '../workflow-automation/n8n/secrets-in-text.ts';

const WEEK_MS = 604_800_000;
const SERVERS_MAX = 200;
const TEXT_MAX = 300;

/** Members that list MCP servers in the files of clients. */
const SERVER_MEMBERS = ['mcpServers', 'servers', 'context_servers', 'mcp_servers'] as const;
const POLICY_MEMBERS = ['allowedMcpServers', 'deniedMcpServers', 'allowManagedMcpServersOnly'] as const;

type Server = {
  readonly name: string;
  readonly host: string | null;
  readonly path: string | null;
  readonly dynamic: boolean;
  readonly command: string | null;
  readonly package: string | null;
  readonly pinned: boolean;
  /** Name of the first member that holds a secret; its value is not stored. */
  readonly secret_in: string | null;
};

const shorten = (text: string): string => text.slice(0, TEXT_MAX);

const RUNNERS = new Set(['npx', 'bunx', 'pnpx', 'uvx', 'pipx']);

/** Returns the package that a command runs, and true if its version is fixed. */
const packageOf = (command: string, args: readonly string[]): { readonly package: string | null; readonly pinned: boolean } => {
  if (!RUNNERS.has(command.split('/').at(-1) ?? '')) return { package: null, pinned: true };
  const name = args.find((arg) => !arg.startsWith('-') && arg !== 'run' && arg !== 'exec');
  if (name === undefined) return { package: null, pinned: false };
  return { package: shorten(name), pinned: /.@\d+\.\d+\.\d+/.test(name) || /==\d/.test(name) };
};

const secretMember = (server: JsonObject): string | null => {
  const members = [...Object.entries(objectAt(server, 'env')), ...Object.entries(objectAt(server, 'headers'))];
  const found = members.find(([name, value]) => {
    if (typeof value !== 'string' || value.includes('${')) return false;
    return findSecret(value) !== undefined || isNamedSecret(name, value) || (/key|token|secret|password/i.test(name) && value.length >= 8);
  });
  const arg = listAt(server, 'args').find((each) => typeof each === 'string' && findSecret(each) !== undefined);
  return found !== undefined ? shorten(found[0]) : arg !== undefined ? 'args' : null;
};

const readServer = (name: string, server: JsonObject): Server => {
  const url = ['url', 'serverUrl', 'httpUrl', 'endpoint'].map((member) => textAt(server, member)).find((text) => text !== undefined);
  const destination = url === undefined ? undefined : readDestination(url);
  const command = textAt(server, 'command');
  const args = listAt(server, 'args').filter((arg): arg is string => typeof arg === 'string');
  return {
    name: shorten(name),
    host: destination?.kind === 'host' ? destination.host : null,
    path: destination?.kind === 'host' ? shorten(destination.path) : null,
    dynamic: destination !== undefined && destination.kind !== 'host',
    command: command === undefined ? null : shorten(command.split('/').at(-1) ?? command),
    ...(command === undefined ? { package: null, pinned: true } : packageOf(command, args)),
    secret_in: secretMember(server),
  };
};

const serversIn = (json: unknown): Server[] =>
  SERVER_MEMBERS.flatMap((member) => Object.entries(objectAt(json, member)))
    .slice(0, SERVERS_MAX)
    .flatMap(([name, server]) => (isObject(server) ? [readServer(name, server)] : []));

const read = (_product: string, { path, scope, owner_is_root, content }: ReportedFile): DigestedFile => {
  const json = parseLooseJson(content);
  const shared = { path, sha256: digestText(content) };
  if (!isObject(json)) return { ...shared, reading: 'UNREADABLE', facts: {} };
  const policy = POLICY_MEMBERS.filter((member) => Object.hasOwn(json, member));
  const facts = {
    ...{ scope: scope ?? 'USER', owner_is_root: owner_is_root ?? false, servers: serversIn(json), policy },
    managed_only: json.allowManagedMcpServersOnly === true || /managed-mcp\.json$/.test(path),
  };
  return { ...shared, reading: 'JSON', facts };
};

const isGateway = (server: Server, { gatewayOrigins }: InspectionTerms): boolean =>
  server.host !== null && gatewayOrigins.map(hostOfOrigin).includes(server.host) && (server.path ?? '').startsWith('/gateway/v1/mcp');

const serverFindings = (path: string, server: Server, terms: InspectionTerms): FoundFinding[] => {
  const subject = `${path} ${server.name}`;
  const isAllowed = isGateway(server, terms) || (server.host !== null && isListed(server.host, terms.settings.allowed_hosts ?? []));
  const { host, command, package: name } = server;
  return [
    ...(isAllowed
      ? []
      : [ofReport('MCP_SERVER_DIRECT', 'HIGH', subject, { file: path, server: server.name, host, command, package: name })]),
    ...(server.secret_in === null
      ? []
      : [ofReport('MCP_SECRET_IN_FILE', 'HIGH', subject, { file: path, server: server.name, member: server.secret_in })]),
    ...(server.pinned ? [] : [ofReport('MCP_PACKAGE_UNPINNED', 'MEDIUM', subject, { file: path, server: server.name, package: name })]),
  ];
};

const inspect: ReportReader['inspect'] = (_product, reports: readonly StoredReport[], terms) => {
  const files = newestFiles(reports);
  const readable = files.filter(({ reading }) => reading !== 'UNREADABLE');
  const source = 'reported files';
  if (files.length === 0) return { evidence: [], findings: [] };
  const findings = readable.flatMap(({ path, facts }) =>
    (facts.servers as readonly Server[]).flatMap((server) => serverFindings(path, server, terms)),
  );
  const unreadable = files
    .filter(({ reading }) => reading === 'UNREADABLE')
    .map(({ path }) => ofReport('FILE_UNREADABLE', 'MEDIUM', path, { file: path }));
  const isManaged = readable.some(({ facts }) => facts.managed_only === true && facts.owner_is_root === true);
  const absent = isManaged ? [] : [ofReport('MCP_POLICY_ABSENT', 'MEDIUM', '', { files: files.length })];
  const evidence: NewEvidence[] = [
    {
      name: 'CLIENT_FILES',
      holds: unreadable.length === 0,
      source,
      detail: `${files.length} files, ${unreadable.length} of them unreadable.`,
      data: { files: files.map(({ path, sha256 }) => ({ path: shorten(path), sha256 })) },
    },
    {
      name: 'MANAGED_FILES',
      holds: isManaged,
      source,
      detail: isManaged ? 'A file of the administrator, which users cannot change, lists the only servers.' : 'Users may add servers.',
    },
  ];
  return { evidence, findings: [...findings, ...unreadable, ...absent] };
};

/** A program that calls MCP servers for a person, such as an editor. It is seen through the files that its machine reports. */
export const mcpClient = {
  kind: 'MCP_CLIENT',
  products: ['claude-code', 'claude-desktop', 'vscode', 'cursor', 'windsurf', 'cline', 'gemini-cli', 'zed'],
  ceiling: 'PARTIAL',
  needs: () => [
    { name: 'CLIENT_FILES', livesMs: WEEK_MS, otherwise: 'UNKNOWN' },
    { name: 'MANAGED_FILES', livesMs: WEEK_MS, otherwise: 'DETECTED' },
  ],
  inspection: { by: 'reports', reader: { read, inspect } },
  capabilities: [
    {
      subject: 'MCP_SERVERS',
      how: 'PREVENTED',
      by: 'A managed file of the client that lists only the gateway and belongs to the administrator of the machine',
      needs: ['CLIENT_FILES', 'MANAGED_FILES'],
      limits: 'The report is believed; other machines and servers that a program keeps in memory are not seen.',
    },
    {
      subject: 'CREDENTIALS',
      how: 'DETECTED',
      by: 'Secrets that stand in client files',
      needs: ['CLIENT_FILES'],
      limits: 'Secrets in the environment of the client are not seen.',
    },
  ],
} as const satisfies RuntimeKindRow;
