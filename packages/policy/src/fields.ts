import { WEEKDAYS } from '@svc/contract/policy-language.ts';
import { ENVIRONMENT_TYPES, MODES, PRINCIPAL_TYPES, RISK_RATINGS, TOOL_KINDS } from '@svc/contract/vocabulary.ts';
import { CONDUCT_FIELDS } from './conduct-fields.ts';
import type { PolicyContext } from './context.ts';
import type { FieldType } from './field-types.ts';

export type FieldRow = {
  /** Dotted name; a name that ends in `.*` stands for a family whose members the rule names. */
  readonly name: string;
  /** How a member of a family is named: by one key taken as it stands, or by a path. */
  readonly family?: 'key' | 'path';
  readonly type: FieldType;
  readonly unit?: string;
  /** The words the field can hold, where there is a list of them. */
  readonly values?: readonly string[];
  /** Bounds of a number. */
  readonly min?: number;
  readonly max?: number;
  /** Spelling of a whole value, and the same in words. */
  readonly pattern?: string;
  readonly spelling?: string;
  readonly example: string | number | boolean;
  readonly sentence: string;
  /** True for texts that tell most rules apart: rules that demand a value here are found by it. */
  readonly indexed?: true;
  /** Why no request holds it in this version of the service: a rule may read it, and finds it unknown. */
  readonly unknown_because?: string;
  /** The value, or for a family the object that holds its members. */
  readonly read: (context: PolicyContext) => unknown;
};

const address = {
  pattern: '^([0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9A-Fa-f]*:[0-9A-Fa-f]*:[0-9A-Fa-f:.]*)$',
  spelling: 'an IPv4 address in four numbers or an IPv6 address',
  example: '203.0.113.7',
} as const;

/** Every field of the language. Validation, compilation, contexts of tests and the builder schema read this table. */
export const FIELDS: readonly FieldRow[] = [
  {
    name: 'principal.type',
    type: 'enum',
    values: PRINCIPAL_TYPES,
    example: 'AGENT',
    sentence: 'Kind of identity that asks: a person, an API key, an agent or the service itself.',
    read: (context) => context.principal?.type,
  },
  {
    name: 'principal.id',
    type: 'string',
    example: 'agt_01J8Z3V7Q2N4M6K8P0R2T4W6Y8',
    sentence: 'Identifier of the identity that asks.',
    read: (context) => context.principal?.id,
  },
  {
    name: 'agent.id',
    type: 'string',
    example: 'agt_01J8Z3V7Q2N4M6K8P0R2T4W6Y8',
    sentence: 'Identifier of the agent that acts.',
    indexed: true,
    read: (context) => context.agent?.id,
  },
  {
    name: 'agent.name',
    type: 'string',
    example: 'refund-bot',
    sentence: 'Name of the agent that acts.',
    read: (context) => context.agent?.name,
  },
  {
    name: 'agent.labels.*',
    family: 'key',
    type: 'string',
    example: 'payments',
    sentence: 'A label of the agent; the text after "agent.labels." is its key as it stands, dots included.',
    read: (context) => context.agent?.labels,
  },
  {
    name: 'agent.capabilities',
    type: 'string_list',
    example: 'payments.refund',
    sentence: 'Capabilities granted to the agent.',
    read: (context) => context.agent?.capabilities,
  },
  {
    name: 'agent.created_days',
    type: 'integer',
    unit: 'days',
    min: 0,
    example: 30,
    sentence: 'Whole days since the agent was registered.',
    read: (context) => context.agent?.created_days,
  },
  {
    name: 'environment.type',
    type: 'enum',
    values: ENVIRONMENT_TYPES,
    example: 'PRODUCTION',
    sentence: 'Type of the environment the agent acts in.',
    read: (context) => context.environment?.type,
  },
  {
    name: 'environment.mode',
    type: 'enum',
    values: MODES,
    example: 'ENFORCE',
    sentence: 'Enforcement mode of that environment.',
    read: (context) => context.environment?.mode,
  },
  {
    name: 'workspace.id',
    type: 'string',
    example: 'wsp_01J8Z3V7Q2N4M6K8P0R2T4W6Y8',
    sentence: 'Identifier of the workspace the environment belongs to.',
    read: (context) => context.workspace?.id,
  },
  {
    name: 'tool.name',
    type: 'string',
    example: 'refund.create',
    sentence: 'Name of the tool the agent wants to use.',
    indexed: true,
    read: (context) => context.tool?.name,
  },
  {
    name: 'tool.capability',
    type: 'string',
    example: 'payments.refund',
    sentence: 'Capability the tool requires.',
    indexed: true,
    read: (context) => context.tool?.capability,
  },
  {
    name: 'tool.risk_rating',
    type: 'enum',
    values: RISK_RATINGS,
    example: 'HIGH',
    sentence: 'Risk rating the tool was registered with.',
    read: (context) => context.tool?.risk_rating,
  },
  {
    name: 'tool.dangerous',
    type: 'boolean',
    example: true,
    sentence: 'Whether the tool was registered as dangerous.',
    read: (context) => context.tool?.dangerous,
  },
  {
    name: 'tool.kind',
    type: 'enum',
    values: TOOL_KINDS,
    example: 'HTTP',
    sentence: 'How the tool is executed.',
    read: (context) => context.tool?.kind,
  },
  {
    name: 'capability',
    type: 'string',
    example: 'payments.refund',
    sentence: 'Capability the request is judged under.',
    indexed: true,
    read: (context) => context.capability,
  },
  {
    name: 'amount',
    type: 'integer',
    unit: 'minor units of the currency of the version',
    min: 0,
    example: 50_000,
    sentence:
      'Amount of the request, converted to the currency of the version, which is the base currency of the organization when it is saved; 50000 is 500.00 of a currency with cents.',
    read: (context) => context.amount,
  },
  {
    name: 'currency',
    type: 'string',
    pattern: '^[A-Z]{3}$',
    spelling: 'three capital letters (ISO 4217)',
    example: 'EUR',
    sentence: 'Currency the request was made in.',
    read: (context) => context.currency,
  },
  {
    name: 'parameters.*',
    family: 'path',
    type: 'json',
    example: 'DE89370400440532013000',
    sentence:
      'A value in the parameters of the request, by path: "parameters.customer.iban", "parameters.items.0.sku", or "parameters.items.*.sku" for every element; "parameters.**" is every text, number, true and false in them, however deep. In a key, ~0 is a tilde, ~1 a dot and ~2 a star.',
    read: (context) => context.parameters,
  },
  {
    name: 'destination.host',
    type: 'host',
    pattern: '^([^\\s/?#@%*:\\\\]+|\\[?[0-9A-Fa-f]*:[0-9A-Fa-f]*:[0-9A-Fa-f:.]*\\]?)$',
    spelling: 'a host name or an IP address, alone',
    example: 'api.example.com',
    sentence: 'Host the request goes to, alone; case, a closing dot and other spellings of one host do not count.',
    read: (context) => context.destination?.host,
  },
  {
    name: 'destination.port',
    type: 'integer',
    min: 0,
    max: 65_535,
    example: 443,
    sentence: 'Port the request goes to.',
    read: (context) => context.destination?.port,
  },
  {
    name: 'destination.ip',
    type: 'ip',
    ...address,
    sentence:
      'Address the request goes to, where it names its destination by address. A host name is looked up only for the call itself, so its address is unknown here.',
    read: (context) => context.destination?.ip,
  },
  {
    name: 'delegation.depth',
    type: 'integer',
    unit: 'links',
    min: 0,
    example: 2,
    sentence:
      'Delegations between whoever gave the authority first and the agent that acts: 1 when a person delegated to it directly, 0 when it acts on its own grants.',
    read: (context) => context.delegation?.depth,
  },
  {
    name: 'delegation.root_principal',
    type: 'string',
    example: 'usr_01J8Z3V7Q2N4M6K8P0R2T4W6Y8',
    sentence:
      'Identifier of whoever gave the authority first that the request rests on: a person, or an agent that handed on its own grants. Missing when the agent acts on its own grants.',
    read: (context) => context.delegation?.root_principal,
  },
  {
    name: 'approval.present',
    type: 'boolean',
    example: true,
    sentence: 'Whether the request brings an approval that was granted for this very request, is still good and was not used.',
    read: (context) => context.approval?.present,
  },
  {
    name: 'time.hour',
    type: 'hour',
    unit: 'hours',
    min: 0,
    max: 23,
    example: 22,
    sentence: 'Hour of the day in the time zone of the organization.',
    read: (context) => context.time?.hour,
  },
  {
    name: 'time.clock',
    type: 'clock',
    pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
    spelling: 'a time of day in 24 hours, written HH:MM',
    example: '08:30',
    sentence: 'Time of day to the minute in the time zone of the organization.',
    read: (context) => context.time?.clock,
  },
  {
    name: 'time.weekday',
    type: 'weekday',
    values: WEEKDAYS,
    example: 'SAT',
    sentence: 'Day of the week in the time zone of the organization.',
    read: (context) => context.time?.weekday,
  },
  {
    name: 'time.date',
    type: 'date',
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
    spelling: 'a day of the calendar, written YYYY-MM-DD',
    example: '2026-12-24',
    sentence: 'Day of the calendar in the time zone of the organization.',
    read: (context) => context.time?.date,
  },
  {
    name: 'request.source_ip',
    type: 'ip',
    ...address,
    sentence: 'Address the request came from, as the service saw it.',
    read: (context) => context.request?.source_ip,
  },
  ...CONDUCT_FIELDS,
];
