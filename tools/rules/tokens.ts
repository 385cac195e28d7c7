import type { CallExpression, Node, VisitorObject } from 'oxc-parser';
import type { SourceFile } from '../source.ts';
import type { ProjectRule, RuleFinding } from '../tree.ts';

/**
 * Files that catch any exception, each with its reason. Elsewhere a catch handles only expected exceptions and rethrows the rest, so that
 * no error is mistaken for a result.
 */
const broadCatches: Readonly<Record<string, string>> = {
  'apps/control-plane/src/tools/tool-imports/arriving/read-file.ts': 'a file that did not arrive is reported to its sender',
  'apps/control-plane/src/events/audit-events/stream/read-on.ts':
    'the feed is read again, and listeners get an error if it stays unavailable',
  'apps/gateway/src/actions/execution/access-tokens.ts': 'each failure to get an access token is logged, and its call is not sent',
  'apps/gateway/src/actions/execution/a2a/a2a-executor.ts': 'a check that fails permits nothing, and a cancellation is best effort',
  'packages/domain/src/risk/trust/read-strict-json.ts': 'JSON.parse throws only for text that is not JSON',
  'packages/keyring/src/evidence/provider-key.ts': 'an error about a key that cannot be imported has no class of its own',
  'packages/keyring/src/evidence/trusted-root.ts': 'the parsers of the library throw errors of every class for what they cannot read',
  'packages/keyring/src/evidence/verify-bundle.ts':
    'the parsers of the library throw errors of every class; the bundle is refused with each',
  'packages/keyring/src/evidence/verify-token.ts': 'the library throws errors of many classes; the token is refused with each',
  'packages/keyring/src/tokens/card-signature.ts': 'an error about a point that is not on the curve has no class of its own',
  'packages/egress/src/new-attempt.ts': 'blocks that cannot be read may name this destination, so nothing is sent',
  'packages/egress/src/tokens/read-return.ts': 'the library throws for every invalid return, and nothing is connected',
  'packages/keyring/src/client-keys/client-key.ts': 'every unreadable key is reported as invalid',
  'packages/http/src/wires/stream/open-streams.ts': 'a credential that cannot be checked ends its stream',
  'packages/keyring/src/tokens/sealed-text.ts': 'text that cannot be decrypted was not made here',
  'apps/cli/src/mcp/proxy-command.ts': 'each error ends the proxy, and is printed with its exit code',
  'apps/connector/src/servers/lifecycle.ts': 'a server that does not start is ended, and each reason is logged',
  'apps/cli/src/run-cli.ts': 'each error of a command is printed in one place, with its exit code',
  'apps/console/web/data/call.ts': 'every failed request of a page is shown as one message',
  'apps/console/web/data/passkeys.ts': 'every error of a passkey ceremony is shown as one message',
  'apps/launcher/src/admin/read-command.ts': 'the option parser throws for invalid arguments',
  'apps/launcher/src/operator/operator-name.ts': 'an account without a name is reported by its number',
  'apps/launcher/src/operator/run-command.ts': 'every failure of an operator command is reported as one message with an exit code',
  'apps/launcher/src/deletions.ts': 'every failure to read certificates is reported as one message; nothing was changed',
  'packages/client/src/errors.ts': 'an error response that is not JSON is reported as unreadable',
  'packages/keyring/src/factors/passkeys.ts': 'every invalid authenticator response is refused',
  'apps/launcher/src/backup/run-command.ts':
    'every failure of a backup or restore is reported as one message, and nothing is left half done',
  'apps/launcher/src/break-glass/read-command.ts': 'the option parser throws for invalid arguments',
  'apps/launcher/src/break-glass/stop-all.ts': 'an object that cannot be stopped is reported, and the others are stopped',
  'apps/control-plane/src/people/sso/oidc/discover.ts': 'the library throws for every invalid provider response, and no sign-in results',
  'apps/control-plane/src/people/sso/oidc/redeem.ts': 'the library throws for every invalid provider response, and each refuses a sign-in',
  'apps/control-plane/src/people/sso/saml/open-saml.ts': 'the library throws for every invalid response, and no sign-in results',
  'packages/keyring/src/public-keys/provider-certificate.ts': 'every invalid certificate is refused with one message',
  'apps/gateway/src/actions/approvals/own/new-approval-waits.ts':
    'waiting requests are looked up again, and answered with the last state at their timeout',
  'packages/enforcement/src/ports/fail-closed.ts': 'a broken dependency becomes a refusal, in one place',
  'packages/http/src/answers/error-to-wire.ts': 'every thrown error becomes a code without internals, in one place',
  'packages/program/src/log/line-writer.ts': 'the last lines of a log that cannot be written are dropped, so that the process ends',
  'packages/keyring/src/sealed/envelope.ts': 'every cipher error becomes one error that reveals nothing about the bytes',
  'packages/postgres/src/governance/prepare-tool.ts': 'a tool that cannot be prepared breaks each request for it, and no others',
  'packages/postgres/src/recorder/prepared-connection.ts': 'an error on closing a broken connection has no effect',
  'packages/database-server/src/cluster/connect-as-owner.ts': 'a failed connection is closed, and an error on closing has no effect',
  'packages/database-server/src/system/process-identity.ts': 'a signal that cannot be sent shows that the process has ended',
};

/** Files that generate or digest non-secret values, each with its reason. */
const otherCryptography: Readonly<Record<string, string>> = {
  'apps/console/web/agents/agents/key-ceremony.ts': 'a browser makes the key of an agent, so that the service never has it',
  'apps/connector/src/http/serve.ts':
    'secrets of requests are compared as digests, which takes the same time for each; the connector has no key',
  'packages/peers/src/mcp/definitions/digest.ts': 'pins are digests of published definitions without secrets',
  'packages/runtimes/src/digest/digest.ts': 'digests detect changes of an instance; they cover no secrets',
  'packages/postgres/src/migrate/read-migrations.ts': 'a digest detects a migration that was edited after it ran',
  'packages/program/src/build/source-digest.ts': 'a digest identifies builds of these sources',
  'packages/database-server/src/postmaster/claim.ts': 'a unique name for each start',
  'packages/database-server/src/cluster/create-cluster.ts': 'the random password of a new database',
  'packages/database-server/src/cluster/socket-folder.ts': 'a digest makes a long path a short name',
};

const isProof = ({ isTest, room }: SourceFile): boolean => isTest || room === 'testing' || room === 'tools' || room === 'e2e';

const readsSettings = ({ folder, path }: SourceFile): boolean =>
  folder === 'apps/launcher' || (folder.startsWith('apps/') && /\/src\/(config|settings|main)\.ts$/.test(path));

const cryptographic: readonly string[] = ['keyring', 'sdk', 'client', 'cli', 'launcher'];

const tokens = {
  event: {
    says: 'writes audit events outside packages/postgres/src/audit',
    isAt: ({ path }: SourceFile) => path.startsWith('packages/postgres/src/audit/'),
  },
  sql: { says: 'SQL outside packages/postgres', isAt: ({ room }: SourceFile) => room === 'postgres' },
  http: {
    says: 'HTTP outside packages/http and the planes',
    isAt: ({ room, folder }: SourceFile) => room === 'http' || folder.startsWith('apps/'),
  },
  plan: {
    says: 'an SQL package must not plan, refuse or emit: return a plain value, and refuse and emit in packages/operations',
    isAt: ({ room }: SourceFile) => room !== 'postgres',
  },
  state: {
    says: 'emits events outside packages/operations: move the change of state into a use case there, and call that',
    // In packages/postgres the rule `plan` refuses it.
    isAt: ({ room }: SourceFile) => ['operations', 'postgres'].includes(room),
  },
  environment: { says: 'reads the environment outside config.ts, settings.ts and main.ts of an app', isAt: readsSettings },
  cryptography: {
    says: 'cryptography outside packages/keyring',
    isAt: ({ room, path }: SourceFile) => cryptographic.includes(room) || Object.hasOwn(otherCryptography, path),
  },
  catch: {
    says: 'catches everything: rethrow unexpected exceptions, or list the file with a reason in tools/rules/tokens.ts',
    isAt: ({ path }: SourceFile) => Object.hasOwn(broadCatches, path),
  },
  route: {
    says: 'adds a path to a server without a row: declare a row, which bind.ts adds with all its checks',
    // The stand-in has every path of a plane and refuses all of them.
    isAt: ({ path }: SourceFile) => ['packages/http/src/plane/bind.ts', 'packages/http/src/plane/open-stand-in.ts'].includes(path),
  },
} as const;

/** Methods that add a path to a server called `app`. */
const ROUTING: ReadonlySet<string> = new Set(['route', 'get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'all']);

type TokenName = keyof typeof tokens;
type Use = { readonly token: TokenName; readonly line: number };

const statements = [
  'select\\s[^;]+\\sfrom\\s',
  'insert\\s+into\\s',
  'update\\s+[\\w."]+\\s+set\\s',
  'delete\\s+from\\s',
  '(create|alter|drop)\\s+(table|index|role|schema|policy|function|extension)\\s',
  'with\\s+\\w+\\s+as\\s*\\(',
  '(listen|notify|truncate)\\s+\\w+',
];
const statement = new RegExp(`^\\s*(${statements.join('|')})`);

/** All lower case, or keywords in capitals: a sentence that begins with Select is prose. */
const looksLikeSql = (text: string): boolean => statement.test(text) || (/^\s*[A-Z]{4}/.test(text) && statement.test(text.toLowerCase()));

/** Functions that build a statement without SQL text. */
const builders: ReadonlySet<string> = new Set(['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'mergeInto']);
/** Functions that decide how a change ends, and which events it has. */
const endings: ReadonlySet<string> = new Set(['refusal', 'keep', 'undo', 'emit']);
const writesEvents = /insert\s+into\s+audit_events/i;

const isNamed = (node: Node, name: string): boolean => node.type === 'Identifier' && node.name === name;

type Span = { readonly start: number; readonly end: number };

/** Collects catch clauses and throws: a catch without a rethrow handles any exception. */
const newCatches = () => {
  const catches: Span[] = [];
  const throws: number[] = [];
  return {
    caught: ({ start, end }: Span): void => void catches.push({ start, end }),
    thrown: ({ start }: Span): void => void throws.push(start),
    broad: (): readonly Span[] => catches.filter(({ start, end }) => !throws.some((offset) => offset > start && offset < end)),
  };
};

/** The type of an audit event, which distinguishes `emit` of a change from that of Node's emitters. */
const isEventType = (node: Node | undefined): boolean =>
  node !== undefined && (node.type !== 'Literal' || (typeof node.value === 'string' && node.value.includes('.')));

const tokensOfCall = ({ callee, arguments: [first] }: CallExpression): TokenName[] => {
  if (callee.type === 'Identifier')
    return [...(endings.has(callee.name) ? (['plan'] as const) : []), ...(callee.name === 'emit' ? (['state'] as const) : [])];
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return [];
  const { name } = callee.property;
  const found: (TokenName | false)[] = [
    isNamed(callee.object, 'app') && ROUTING.has(name) && 'route',
    name === 'emit' && 'plan',
    name === 'emit' && isEventType(first) && 'state',
    builders.has(name) && 'sql',
    name === 'insertInto' && first?.type === 'Literal' && first.value === 'audit_events' && 'event',
  ];
  return found.filter((token) => token !== false);
};

const isCatchCall = ({ callee }: CallExpression): boolean => callee.type === 'MemberExpression' && isNamed(callee.property, 'catch');

const tokenVisitors = (use: (token: TokenName, offset: number) => void, catches: ReturnType<typeof newCatches>): VisitorObject => ({
  Literal({ value, start }) {
    if (typeof value === 'string' && looksLikeSql(value)) use('sql', start);
  },
  TemplateLiteral({ quasis, start }) {
    const text = quasis.map((quasi) => quasi.value.raw).join('x');
    if (looksLikeSql(text)) use('sql', start);
    if (writesEvents.test(text)) use('event', start);
  },
  MemberExpression({ object, property, start }) {
    if (isNamed(object, 'process') && isNamed(property, 'env')) use('environment', start);
    if (isNamed(object, 'crypto')) use('cryptography', start);
  },
  VariableDeclarator({ id, init, start }) {
    if (id.type === 'ObjectPattern' && init && isNamed(init, 'process')) use('environment', start);
  },
  ObjectPattern({ properties }) {
    for (const property of properties) if (property.type === 'Property' && isNamed(property.key, 'emit')) use('state', property.start);
  },
  TaggedTemplateExpression({ tag, start }) {
    if (isNamed(tag, 'sql')) use('sql', start);
  },
  CallExpression(call) {
    for (const token of tokensOfCall(call)) use(token, call.start);
    if (isCatchCall(call)) catches.caught(call);
  },
  CatchClause: catches.caught,
  ThrowStatement: catches.thrown,
});

/** Tokens that an import alone reveals; for some an import of a type counts too. */
const imported: ReadonlyMap<string, { readonly token: TokenName; readonly evenTypes: boolean }> = new Map([
  ['fastify', { token: 'http', evenTypes: true }],
  ['kysely', { token: 'sql', evenTypes: false }],
  ['node:crypto', { token: 'cryptography', evenTypes: false }],
  ['node:process', { token: 'environment', evenTypes: false }],
]);

const listUses = (source: SourceFile): Use[] => {
  const uses: Use[] = [];
  const use = (token: TokenName, offset: number): void => {
    uses.push({ token, line: source.lineAt(offset) });
  };
  const catches = newCatches();
  source.visit(tokenVisitors(use, catches));
  for (const { start } of catches.broad()) use('catch', start);
  for (const { specifier, line, typeOnly } of source.imports) {
    const found = imported.get(specifier);
    if (found && (found.evenTypes || !typeOnly)) uses.push({ token: found.token, line });
  }
  return uses;
};

/** Reports unused exceptions of this rule, which would later permit something unintended. */
const idleAllowances = (path: string, uses: readonly Use[]): RuleFinding[] =>
  (
    [
      [broadCatches, 'catch'],
      [otherCryptography, 'cryptography'],
    ] as const
  )
    .filter(([allowed, token]) => Object.hasOwn(allowed, path) && !uses.some((each) => each.token === token))
    .map(([, token]) => ({ path, says: `no longer needs its allowance for ${token}; take it out of tools/rules/tokens.ts` }));

/**
 * Checks that SQL, audit events, HTTP, refusals, the environment, cryptography, catch clauses and routes are only in their packages. Tests
 * and tools are exempt.
 */
export const checkTokensInTheirRooms: ProjectRule = (tree) =>
  tree.sources
    .filter((source) => !isProof(source))
    .flatMap((source): RuleFinding[] => {
      const uses = listUses(source);
      const misplaced = uses
        .filter(({ token }) => !tokens[token].isAt(source))
        .map(({ token, line }) => ({ path: source.path, line, says: tokens[token].says }));
      return [...misplaced, ...idleAllowances(source.path, uses)];
    });
