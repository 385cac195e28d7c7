import type { OperationName } from '@svc/client/client.ts';
import { NO_COMMANDS } from '@svc/client/commands/command-names.ts';
import { formatCommandWords, kebab } from '@svc/client/commands/command-words.ts';
import { OPERATIONS } from '@svc/client/operations.ts';
import { CONDITIONAL_STEP_UPS } from '@svc/contract/conditional-step-ups.ts';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { type Endpoint, listPermissions, stepUpOfRow } from '@svc/contract/rows/endpoint.ts';
import { SECRET_FORMAT } from '@svc/contract/rows/secret.ts';
import { isPathParameter, listParameterNames, PATH_PARAMETERS } from '@svc/contract/tables/path-parameters.ts';
import type { CommandRow, FlagKind, FlagRow } from './command-table.ts';
import { deriveExample } from './derive-example.ts';

type Schema = Readonly<Record<string, unknown>>;
const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);
const listValue = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The schema of a value that may also be null. */
const withoutNull = (schema: Schema): Schema => {
  const branches = [...listValue(schema.anyOf), ...listValue(schema.oneOf)].filter(isSchema).filter(({ type }) => type !== 'null');
  const [only] = branches;
  return branches.length === 1 && only !== undefined ? { ...only, description: schema.description ?? only.description } : schema;
};

const KINDS: Readonly<Record<string, FlagKind>> = { string: 'text', integer: 'integer', number: 'number', boolean: 'boolean' };

const findKind = (schema: Schema): FlagKind => {
  if (schema.format === SECRET_FORMAT) return 'secret';
  if (schema.type === 'array') return isSchema(schema.items) && withoutNull(schema.items).type === 'string' ? 'list' : 'json';
  return (typeof schema.type === 'string' ? KINDS[schema.type] : undefined) ?? 'json';
};

const listWords = (schema: Schema): readonly string[] | undefined => {
  const { enum: words } = schema.type === 'array' && isSchema(schema.items) ? schema.items : schema;
  const texts = listValue(words).filter((word): word is string => typeof word === 'string');
  return texts.length > 0 ? texts : undefined;
};

const listFlags = (place: 'query' | 'body', schema: unknown): readonly FlagRow[] => {
  if (!isSchema(schema) || !isSchema(schema.properties)) return [];
  const required = new Set(listValue(schema.required));
  return Object.entries(schema.properties).flatMap(([member, each]) => {
    if (!isSchema(each)) return [];
    const value = withoutNull(each);
    const kind = each.format === SECRET_FORMAT ? 'secret' : findKind(value);
    const words = listWords(value);
    const { description } = value;
    const flag = `${kebab(member)}${kind === 'secret' ? '-file' : ''}`;
    const optional = { ...(words ? { words } : {}), ...(typeof description === 'string' ? { description } : {}) };
    return [{ flag, member, place, kind, required: required.has(member), nullable: value !== each, ...optional }];
  });
};

/** Two members that differ in spelling only, such as agentId and agent_id, share one flag: the last one's. */
const distinct = (flags: readonly FlagRow[]): readonly FlagRow[] => [...new Map(flags.map((each) => [each.flag, each])).values()];

const findPaging = ({ query }: Endpoint): CommandRow['paging'] => {
  const { properties } = (query ?? {}) as { readonly properties?: object };
  if (properties === undefined || !('limit' in properties)) return 'none';
  return 'cursor' in properties ? 'cursor' : 'offset';
};

const STEP_UPS = { true: 'always', when_reducing: 'when_reducing', may: 'may', undefined: 'never' } as const;
const WHEN: Readonly<Record<string, string>> = CONDITIONAL_STEP_UPS;

const findRow = (operation: OperationName, row: Endpoint): CommandRow => {
  const stepUp = STEP_UPS[`${stepUpOfRow(row)}`];
  const body = row.body === undefined ? 'none' : row.bodyOptional ? 'optional' : 'required';
  const stepUpWhen = WHEN[operation];
  // A change without an own description that stops something, deletes something or needs a fresh proof of the person is asked about.
  const danger = row.method !== 'GET' && (row.method === 'DELETE' || row.emergency === true || stepUp === 'always');
  const command: Omit<CommandRow, 'example'> = {
    operation,
    words: formatCommandWords(operation),
    method: row.method,
    path: row.path,
    summary: row.summary,
    params: listParameterNames(row.path).map((name) => ({ name, noun: isPathParameter(name) ? PATH_PARAMETERS[name].noun : name })),
    flags: distinct([...listFlags('query', row.query), ...listFlags('body', row.body)]),
    permissions: listPermissions(row),
    stepUp,
    ...(stepUpWhen === undefined ? {} : { stepUpWhen }),
    person: row.credential === 'person',
    danger,
    idempotent: row.idempotent === true,
    wire: row.wire,
    body,
    paging: findPaging(row),
    events: row.emits,
    refusals: row.refuses,
  };
  return { ...command, example: deriveExample(command, row) };
};

/** True for an operation that a person can call from a terminal: no page, no callback, and none of the calls of a directory. */
const isReachable = (name: string, row: Endpoint | undefined): row is Endpoint =>
  row !== undefined &&
  row.plane === 'control' &&
  (row.credential as string) !== 'directory' &&
  !(name in NO_COMMANDS) &&
  !/page/.test(row.wire);

/** The table of commands, from the rows of the contract. */
export const deriveTable = (): readonly CommandRow[] => {
  const rows: Readonly<Record<string, Endpoint>> = ENDPOINTS;
  const names = Object.keys(OPERATIONS) as OperationName[];
  return names.flatMap((name) => {
    const row = rows[name];
    return isReachable(name, row) ? [findRow(name, row)] : [];
  });
};
