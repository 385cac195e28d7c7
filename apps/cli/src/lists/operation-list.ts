import type { HandCommand } from '../session/hand-command.ts';

const REASON = ['--reason <text>', 'reason, which is recorded in the audit log'] as const;

/** Flows of operation: diagnosis, stops, modes, tools, the audit record and webhooks. */
export const OPERATION_COMMANDS: readonly HandCommand[] = [
  {
    words: ['doctor'],
    summary: 'Check this machine, the service, the account, the organization and the project.',
    options: [['--only <group>', 'here, service, account, organization or project']],
    examples: ['svc doctor', 'svc doctor --only service --json'],
    load: async () => (await import('../doctor/run-doctor.ts')).runDoctor,
  },
  {
    words: ['status'],
    summary: 'Show who you are, where, and until when; the same as svc whoami.',
    examples: ['svc status'],
    load: async () => (await import('../sign-in/session-commands.ts')).whoami,
  },
  {
    words: ['emergency', 'stop'],
    summary: 'Isolate an agent, or pause an environment or all of them.',
    options: [['--agent <agent>', 'isolate this agent'], ['--all', 'pause every environment'], REASON],
    examples: ['svc emergency stop --all --reason "Unexpected refunds."'],
    load: async () => (await import('../agents/emergency.ts')).runEmergencyStop,
  },
  {
    words: ['env', 'mode'],
    summary: 'Show or set the enforcement mode of an environment.',
    args: [
      ['<environment>', 'id or name'],
      ['[mode]', 'observe, simulate or enforce'],
    ],
    options: [REASON],
    examples: ['svc env mode Production', 'svc env mode Production enforce --reason "Rules were tried for a week."'],
    load: async () => (await import('../agents/emergency.ts')).showEnvironmentMode,
  },
  {
    words: ['deploy'],
    summary: 'Bring an environment to another enforcement mode; the same as svc env mode.',
    args: [
      ['<environment>', 'id or name'],
      ['<mode>', 'observe, simulate or enforce'],
    ],
    options: [REASON],
    examples: ['svc deploy Production enforce --reason "Rules were tried for a week."'],
    load: async () => (await import('../agents/emergency.ts')).showEnvironmentMode,
  },
  {
    words: ['env', 'contexts'],
    summary: 'Show or set which labels of data that an agent read count for its requests.',
    args: [
      ['<environment>', 'id or name'],
      ['[scope]', 'agent: of all contexts; context: of the context of the session'],
    ],
    options: [REASON],
    examples: ['svc env contexts Production agent --reason "One customer at a time."'],
    load: async () => (await import('../agents/context-scope.ts')).showEnvironmentContexts,
  },
  {
    words: ['tools', 'try'],
    summary: 'Show the call that a tool would make, with its secret masked. Nothing is sent.',
    args: [['<tool>', 'id or name of the tool']],
    options: [
      ['--param <name=value...>', 'parameters of the tool'],
      ['-f, --file <file>', 'parameters as a JSON object from a file, or "-"'],
      ['--agent <agent>', 'also decide for this agent'],
    ],
    examples: ['svc tools try refund.create --param order=A-7'],
    load: async () => (await import('../tools/tool-flows.ts')).tryTool,
  },
  {
    words: ['tools', 'import'],
    summary: 'Propose tools from an OpenAPI document, a GraphQL schema or a Postman collection.',
    args: [['<document>', 'file or address']],
    options: [
      ['--source <name>', 'name of the source, by default that of the file'],
      ['--base-url <url>', 'base address of the calls'],
    ],
    examples: ['svc tools import openapi.yaml -e Staging'],
    load: async () => (await import('../tools/tool-flows.ts')).importTools,
  },
  {
    words: ['audit', 'verify'],
    summary: 'Compare the audit record with its sealed log, or an export with its signed checkpoint.',
    options: [
      ['--offline <file>', 'an export; the service is not asked'],
      ['--key <key>', 'verifier key for --offline'],
      ['--checkpoint <file>', 'a checkpoint to compare with'],
    ],
    examples: ['svc audit verify', 'svc audit verify --offline export.jsonl'],
    load: async () => (await import('../audit/verify.ts')).verifyAudit,
  },
  {
    words: ['webhooks', 'listen'],
    summary: 'Print events, or send them to a receiver on this machine, signed like webhook deliveries.',
    options: [
      ['--forward <address>', 'such as http://127.0.0.1:3000/hook'],
      ['--type <types>', 'event types, separated by commas'],
    ],
    examples: ['svc webhooks listen --forward http://127.0.0.1:3000/hook --type approval.requested'],
    load: async () => (await import('../webhooks/listen.ts')).listenWebhooks,
  },
];
