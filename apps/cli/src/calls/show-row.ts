import type { Cli } from '../session/cli.ts';
import { type CommandRow, SAMPLE_TIME } from '../table/command-table.ts';
import type { CallInput } from './read-input.ts';

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const SECRET_FLAGS = (row: CommandRow): ReadonlySet<string> =>
  new Set(row.flags.filter(({ kind }) => kind === 'secret').map(({ member }) => member));

/** The call as a curl command. The credential and secrets of the body are placeholders. */
export const buildCurlCommand = (cli: Cli, row: CommandRow, input: CallInput): string => {
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(input.params[name] ?? ''));
  const search = new URLSearchParams(
    Object.entries(input.query).flatMap(([name, value]) => (value === undefined || value === null ? [] : [[name, String(value)]])),
  );
  const secrets = SECRET_FLAGS(row);
  const body =
    typeof input.body === 'object' && input.body !== null
      ? JSON.stringify(Object.fromEntries(Object.entries(input.body).map(([name, value]) => [name, secrets.has(name) ? '…' : value])))
      : undefined;
  return [
    `curl -sS -X ${row.method} ${quote(`${cli.url()}${path}${search.size > 0 ? `?${search}` : ''}`)}`,
    `-H "authorization: Bearer $SVC_TOKEN"`,
    ...(input.workspaceId === undefined ? [] : [`-H 'x-svc-workspace: ${input.workspaceId}'`]),
    ...(input.environmentId === undefined ? [] : [`-H 'x-svc-environment: ${input.environmentId}'`]),
    ...(row.idempotent ? [`-H 'idempotency-key: ${input.idempotencyKey ?? 'choose-one'}'`] : []),
    ...(body === undefined ? [] : [`-H 'content-type: application/json' -d ${quote(body)}`]),
  ].join(' \\\n  ');
};

const STEP_UPS = {
  always: 'always, so an API key cannot run it',
  when_reducing: 'for a change that reduces enforcement',
  may: 'for some requests',
  never: 'no',
} as const;

export const describePermission = (row: CommandRow): Readonly<Record<string, unknown>> => ({
  permissions: row.permissions,
  person_only: row.person,
  step_up: row.stepUp,
  ...(row.stepUpWhen === undefined ? {} : { step_up_when: row.stepUpWhen }),
  confirms: row.danger,
});

export const formatPermissionLines = (row: CommandRow): readonly string[] => [
  `Permissions: ${row.permissions.length === 0 ? 'none' : row.permissions.join(', ')}`,
  ...(row.person ? ['For: people only, not API keys'] : []),
  `Step-up: ${row.stepUp === 'may' && row.stepUpWhen !== undefined ? row.stepUpWhen : STEP_UPS[row.stepUp]}`,
  ...(row.danger ? ['Asks before it is sent (--yes answers)'] : []),
];

const quoteIfNeeded = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : quote(word));

const SOON_DAYS = 90;

/** The example of a row. Times in it are some weeks ahead, since what expires has limits on both sides. */
const exampleLine = ({ words, example }: CommandRow): string => {
  const soon = new Date(Date.now() + SOON_DAYS * 86_400_000).setUTCHours(0, 0, 0, 0);
  const filled = example.map((word) => (word === SAMPLE_TIME ? new Date(soon).toISOString() : word));
  return `svc ${[...words, ...filled].map(quoteIfNeeded).join(' ')}`;
};

/** The part of the help after the options. */
export const helpAfter = (row: CommandRow): string =>
  [
    '',
    ...formatPermissionLines(row),
    ...(row.events.length === 0 ? [] : [`Events: ${row.events.join(', ')}`]),
    ...(row.refusals.length === 0 ? [] : [`Refusals: ${row.refusals.join(', ')}`]),
    `Call: ${row.method} ${row.path}`,
    '',
    'Example:',
    `  ${exampleLine(row)}`,
  ].join('\n');
