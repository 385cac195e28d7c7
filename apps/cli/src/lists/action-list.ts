import type { HandCommand } from '../session/hand-command.ts';

const REQUEST_OPTIONS = [
  ['--param <name=value...>', 'parameters of the tool; numbers, booleans and JSON are taken as such'],
  ['-f, --file <file>', 'parameters as a JSON object from a file, or "-"'],
  ['--amount <amount>', 'such as 900.00 with --currency, or whole minor units'],
  ['--currency <code>', 'such as USD'],
  ['--destination <host>', 'host, host:port or URL'],
] as const;

const FOLLOW_OPTIONS = [
  ['--agent <agent>', 'only this agent'],
  ['--tool <tool>', 'only this tool'],
  ['--decision <decision>', 'only ALLOW, MASK, LIMIT, REQUIRE_APPROVAL or BLOCK'],
] as const;

/** Flows about actions, approvals and delegations. */
export const ACTION_COMMANDS: readonly HandCommand[] = [
  {
    words: ['why'],
    summary: 'Explain a decision: stages, rules with each condition, and what would change it.',
    args: [['[action]', 'id of an action (act_) or of its request (req_); the newest action if absent']],
    examples: ['svc why act_01K…', 'svc why --json | jq .would_change'],
    load: async () => (await import('../actions/why.ts')).explainAction,
  },
  {
    words: ['actions', 'why'],
    summary: 'Explain a decision; the same as svc why.',
    args: [['[action]', 'id of an action (act_) or of its request (req_)']],
    examples: ['svc actions why act_01K…'],
    load: async () => (await import('../actions/why.ts')).explainAction,
  },
  {
    words: ['simulate'],
    summary: 'Decide a request with the rules in force, without recording anything.',
    args: [
      ['<agent>', 'id or name of the agent'],
      ['<tool>', 'name or id of the tool'],
    ],
    options: REQUEST_OPTIONS,
    examples: ['svc simulate refund-bot refund.create --amount 900.00 --currency USD --param order=A-7'],
    load: async () => (await import('../actions/simulate.ts')).simulate,
  },
  {
    words: ['actions', 'tail'],
    summary: 'Follow decisions as they are made.',
    options: FOLLOW_OPTIONS,
    examples: ['svc actions tail --decision BLOCK', 'svc actions tail --json | jq .reason'],
    load: async () => (await import('../actions/tail.ts')).tailActions,
  },
  {
    words: ['audit', 'tail'],
    summary: 'Follow audit events as they are written.',
    options: [
      ['--type <types>', 'event types, separated by commas'],
      ['--severity <severity>', 'only this severity'],
    ],
    examples: ['svc audit tail --severity critical', 'svc audit tail --json | jq .type'],
    load: async () => (await import('../actions/tail.ts')).tailEvents,
  },
  {
    words: ['approvals', 'watch'],
    summary: 'Show approvals as they arrive, and decide them in the terminal.',
    options: [
      ['--exec <command>', 'run a command for each approval, with the approval as JSON on standard input'],
      ['--once', 'stop after those that wait now'],
    ],
    examples: ['svc approvals watch', 'svc approvals watch --once --json'],
    load: async () => (await import('../approvals/watch.ts')).watchApprovals,
  },
  {
    words: ['approvals', 'get'],
    summary: 'Show one approval with its request and the reason it is held.',
    args: [['<approval>', 'id of the approval (apr_)']],
    examples: ['svc approvals get apr_01K…'],
    load: async () => (await import('../approvals/watch.ts')).showApproval,
  },
  {
    words: ['delegations', 'tree'],
    summary: 'Draw who handed authority to whom.',
    options: [
      ['--agent <agent>', 'only delegations with this agent in their chain'],
      ['--every', 'also revoked and expired ones'],
      ['--dot', 'for Graphviz'],
      ['--mermaid', 'for Mermaid'],
    ],
    examples: ['svc delegations tree', 'svc delegations tree --agent refund-bot --mermaid'],
    load: async () => (await import('../agents/delegation-tree.ts')).printDelegationTree,
  },
];
