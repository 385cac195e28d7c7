import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { ID_PREFIXES } from '@svc/contract/tables/ids.ts';
import { isPathParameter, PATH_PARAMETERS } from '@svc/contract/tables/path-parameters.ts';
import { type CommandRow, type FlagRow, SAMPLE_TIME } from './command-table.ts';

type Schema = Readonly<Record<string, unknown>>;
const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);
const listValue = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const ULID = '0'.repeat(26);
const PREFIXES: Readonly<Record<string, string>> = ID_PREFIXES;

/** Values of path parameters that hold a word. */
const WORDS: Readonly<Record<string, string>> = {
  step: 'goals',
  capability: 'payments.refund',
  application: 'github',
  proposalKey: 'createrefund',
  identityId: 'prv_1',
  control: 'isolate-agent',
};

/** Values of texts, by member, where the schema has no example. */
const TEXTS: Readonly<Record<string, string>> = {
  name: 'Support',
  title: 'Unexpected refunds',
  email: 'ada@example.com',
  reason: 'Unexpected refunds.',
  description: 'Refunds of the support team.',
  question: 'Which customer is it?',
  answer: 'The customer of order A-7.',
  note: 'The agent is stopped.',
  summary: 'A prompt was changed by mistake.',
  tool: 'refund.create',
  model: 'a-model',
  confirm_name: 'Acme',
  passport: 'passport.jwt',
};

/** Members that the schema alone does not show to be needed, by operation. */
const MEMBERS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  setGatewayMode: { mode: 'OBSERVE', reason: 'The rules are tried first.' },
  createSsoConnection: { client_id: 'governance', client_secret: '' },
  createExchangeRate: { base_currency: 'EUR' },
  createIncidentRule: { condition: 'RISK_SCORE', score: 80 },
  saveSimulation: { agent_id: `agt_${ULID}` },
  bindPolicy: { id: `org_${ULID}` },
  diffTool: { to: 2 },
  diffPolicy: { to: 2 },
  checkPolicy: { rules: [{ id: 'all', effect: 'ALLOW', reason: 'All requests are permitted.' }] },
  evaluateAccess: {
    subject: { type: 'agent', id: `agt_${ULID}` },
    action: { name: 'refund.create' },
    resource: { type: 'tool', id: 'refund.create' },
  },
  evaluateAccessBatch: {
    subject: { type: 'agent', id: `agt_${ULID}` },
    action: { name: 'refund.create' },
    evaluations: [{ resource: { type: 'tool', id: 'refund.create' } }],
  },
  saveOnboardingStep: { goals: ['Control refunds'] },
  rewriteGuardCalls: { source: 'export const refund = pay;' },
};

const sampleId = (noun: string): string => `${PREFIXES[noun] ?? noun}_${ULID}`;

/** The id of a member such as role_id, from the prefix in its description or from the noun in its name. */
const sampleIdOfMember = (member: string, description: unknown): string | undefined => {
  const { prefix } = /\((?<prefix>[a-z]{2,5})_\)/.exec(String(description))?.groups ?? {};
  if (prefix !== undefined) return `${prefix}_${ULID}`;
  const noun = /^(?:\w*_)?(?<noun>[a-z]+)_ids?$/.exec(member)?.groups?.noun;
  return noun !== undefined && noun in PREFIXES ? sampleId(noun) : undefined;
};

const sampleText = (schema: Schema, member: string): string => {
  const id = sampleIdOfMember(member, schema.description);
  if (id !== undefined) return id;
  if (/\{64\}/.test(String(schema.pattern))) return '0'.repeat(64);
  if (/_at$|^since$/.test(member)) return SAMPLE_TIME;
  return (TEXTS[member] ?? member).padEnd(Number(schema.minLength ?? 0), '-');
};

const sampleObject = (schema: Schema): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    listValue(schema.required).map((name) => {
      const member = isSchema(schema.properties) ? schema.properties[String(name)] : undefined;
      return [String(name), sampleValue(isSchema(member) ? member : {}, String(name))];
    }),
  );

/** A value that a schema accepts. */
const sampleValue = (schema: Schema, member: string): unknown => {
  const [example] = listValue(schema.examples);
  const [word] = listValue(schema.enum);
  const given = example ?? schema.const ?? schema.default ?? word;
  if (given !== undefined) return given;
  const branch = [...listValue(schema.anyOf), ...listValue(schema.oneOf)].find((each) => isSchema(each) && each.type !== 'null');
  if (isSchema(branch)) return sampleValue({ description: schema.description, ...branch }, member);
  if (schema.type === 'array') {
    const item = isSchema(schema.items) ? schema.items : {};
    return Array.from({ length: Math.max(1, Number(schema.minItems ?? 1)) }, () =>
      sampleValue({ description: schema.description, ...item }, member),
    );
  }
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
  if (schema.type === 'boolean') return true;
  return schema.type === 'string' ? sampleText(schema, member) : sampleObject(schema);
};

const valueText = ({ kind, member }: FlagRow, value: unknown): string => {
  if (kind === 'secret') return `${member.replaceAll('_', '-')}.txt`;
  if (kind === 'list') return listValue(value).join(',');
  return kind === 'json' ? JSON.stringify(value) : String(value);
};

/** The flags of an example: those that are required or in the example of the row, or for a change without any the first one. */
const chooseFlags = ({ flags, body }: Pick<CommandRow, 'flags' | 'body'>, example: Schema): readonly FlagRow[] => {
  const own = flags.filter(({ place }) => place === 'body');
  const chosen = flags.filter(({ place, required, member }) => required || (place === 'body' && member in example));
  return chosen.length === 0 && body === 'required' ? own.slice(0, 1) : chosen;
};

const findProperty = (schema: unknown, member: string): Schema => {
  const properties = isSchema(schema) && isSchema(schema.properties) ? schema.properties : {};
  const found = properties[member];
  return isSchema(found) ? found : {};
};

/** Arguments and flags of a command that runs, with ids of zeros to replace: from the example of the row, and from its schemas. */
export const deriveExample = (command: Omit<CommandRow, 'example'>, row: Endpoint): readonly string[] => {
  const example: Schema = { ...row.example, ...MEMBERS[command.operation] };
  const args = command.params.map(({ name }) => {
    const noun = isPathParameter(name) ? PATH_PARAMETERS[name].id : null;
    return WORDS[name] ?? (noun === null ? name : sampleId(noun));
  });
  const flags = chooseFlags(command, example).flatMap((flag) => {
    const value = example[flag.member];
    const text = valueText(
      flag,
      value ?? sampleValue(findProperty(flag.place === 'body' ? row.body : row.query, flag.member), flag.member),
    );
    return flag.kind === 'boolean' ? [text === 'false' ? `--no-${flag.flag}` : `--${flag.flag}`] : [`--${flag.flag}`, text];
  });
  return [...args, ...flags, ...(command.wire === 'file' ? ['--body', 'openapi.json'] : [])];
};
