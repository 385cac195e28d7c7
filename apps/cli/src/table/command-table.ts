import type { OperationName } from '@svc/client/client.ts';

/** Kind of a flag's value. `json` is read as JSON; `secret` is read from a file or from standard input, never from an argument. */
export type FlagKind = 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'json' | 'secret';

/** A time in examples of rows; help shows one that has not passed. */
export const SAMPLE_TIME = '2030-01-31T00:00:00.000Z';

/** A flag that fills one member of the query or the body. */
export type FlagRow = {
  readonly flag: string;
  readonly member: string;
  readonly place: 'query' | 'body';
  readonly kind: FlagKind;
  readonly required: boolean;
  /** Accepts the word null, which clears the member. */
  readonly nullable: boolean;
  readonly words?: readonly string[];
  readonly description?: string;
};

/** A command that is one operation of the control plane. */
export type CommandRow = {
  readonly operation: OperationName;
  /** Words of the command: noun and verb, and for few nouns a word between them. */
  readonly words: readonly string[];
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly params: readonly { readonly name: string; readonly noun: string }[];
  readonly flags: readonly FlagRow[];
  /** Permissions of the caller, all of them. */
  readonly permissions: readonly string[];
  /** A step-up is needed always, for a reduction, or depending on the resource or the body. */
  readonly stepUp: 'always' | 'when_reducing' | 'may' | 'never';
  /** When a step-up of the kind `may` is needed, in one sentence. */
  readonly stepUpWhen?: string;
  /** Only a person can call it. */
  readonly person: boolean;
  /** Changes something that is hard to undo: asks before it is sent. */
  readonly danger: boolean;
  readonly idempotent: boolean;
  readonly wire: string;
  readonly body: 'none' | 'optional' | 'required';
  /** Shape of a list that has pages; `none` for everything else. */
  readonly paging: 'cursor' | 'offset' | 'none';
  readonly events: readonly string[];
  readonly refusals: readonly string[];
  /** Arguments and flags of an example. */
  readonly example: readonly string[];
};

/** The nouns, with one line each for the list of commands. */
export const NOUN_SUMMARIES: Readonly<Record<string, string>> = {
  actions: 'Decisions about what agents asked for, and why.',
  approvals: 'Requests that wait for a person.',
  agents: 'Agents: lifecycle, keys, passports, capabilities.',
  delegations: 'Authority that people and agents hand on.',
  policies: 'Rules, their versions and tests, also as files.',
  invariants: 'Statements that no policy may break, with proofs.',
  tools: 'Tools that agents use, and who may use them.',
  imports: 'Tools proposed by documents such as OpenAPI.',
  credentials: 'Secrets that tools send and agents never see.',
  env: 'Environments and their enforcement mode.',
  workspaces: 'Workspaces of the organization.',
  org: 'The organization.',
  rates: 'Exchange rates.',
  keys: 'API keys.',
  members: 'People of the organization, and invitations.',
  roles: 'Roles and permissions.',
  sso: 'Single sign-on connections and provisioning.',
  sessions: 'Your sessions.',
  account: 'Your name, password, second factors and identities.',
  notifications: 'Your notifications.',
  channels: 'Notification channels such as Slack.',
  audit: 'The audit record: search, export, verify, prove.',
  webhooks: 'Webhook subscriptions and deliveries.',
  compliance: 'The compliance report.',
  mcp: 'MCP servers, their tools, and a local proxy.',
  authzen: 'Decisions in the AuthZEN format.',
  service: 'Health, version, error codes and event types.',
};
