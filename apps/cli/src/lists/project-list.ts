import { AGENT_OPTIONS } from '../agents/agent-options.ts';
import type { HandCommand } from '../session/hand-command.ts';

/** Commands of an agent's project, and of agents with their keys. */
export const PROJECT_COMMANDS: readonly HandCommand[] = [
  {
    words: ['init'],
    summary: 'Write a project with a running agent, its key and a policy.',
    args: [['[folder]', 'by default the current folder']],
    options: [
      ['--agent <name>', 'name of the agent, by default my-agent'],
      ['--tool <name>', 'name of the tool, by default hello.say'],
    ],
    examples: ['svc init hello -e Development'],
    load: async () => (await import('../project/init.ts')).initProject,
  },
  {
    words: ['run'],
    summary: 'Request an action as an agent with its key.',
    args: [['<tool>', 'name or id of the tool']],
    options: [
      ...AGENT_OPTIONS,
      ['--param <name=value...>', 'parameters of the tool; numbers, booleans and JSON are taken as such'],
      ['-f, --file <file>', 'parameters as a JSON object from a file, or "-"'],
      ['--amount <amount>', 'such as 900.00 with --currency, or whole minor units'],
      ['--currency <code>', 'such as USD'],
      ['--destination <host>', 'host, host:port or URL'],
      ['--wait', 'wait for an approval'],
      ['--dry-run', 'decide and record nothing'],
    ],
    examples: ['svc run hello.say --param name=Ada'],
    load: async () => (await import('../agents/run-action.ts')).runAction,
  },
  {
    words: ['mcp', 'proxy'],
    summary: 'Run an MCP server of this machine behind the gateway. A tool t of the server is the tool <prefix>t of kind SDK.',
    args: [['[command...]', 'command of the server']],
    options: [
      ...AGENT_OPTIONS,
      ['--prefix <prefix>', 'prefix of the tool names, such as files.'],
      ['--server <server>', 'connect to the registered server mcp_… instead of a command, or to all of them'],
      ['--allow <features>', 'resources, prompts, sampling, roots or elicitation, separated by commas; they are not decided'],
      ['--hold <duration>', 'how long a call waits for an approval, by default 25s'],
      ['--integrity <digest>', 'sha512-… of the archive of the package that npx would run: another one is not started'],
      ['--unpinned', 'marks a package that svc mcp import could not pin'],
    ],
    passThrough: true,
    examples: ['svc mcp proxy --prefix files. -- npx -y @modelcontextprotocol/server-filesystem .'],
    load: async () => (await import('../mcp/proxy-command.ts')).proxyMcp,
  },
  {
    words: ['mcp', 'register'],
    summary: 'Register the tools of an MCP server of this machine for svc mcp proxy, with the definitions that it lists now.',
    args: [['<command...>', 'command of the server']],
    options: [
      ['--agent <agent>', 'agent that may use the tools; by default that of svc.json'],
      ['--prefix <prefix>', 'prefix of the tool names, such as files.'],
    ],
    passThrough: true,
    examples: ['svc mcp register --prefix files. --agent desktop -- npx -y @modelcontextprotocol/server-filesystem .'],
    load: async () => (await import('../mcp/register.ts')).registerLocalTools,
  },
  {
    words: ['mcp', 'import'],
    summary: 'Put the servers of existing MCP client configurations under governance. Shows the plan; --apply rewrites the files.',
    options: [
      ...AGENT_OPTIONS,
      ['--client <client>', 'one client, such as claude-desktop, claude-code, cursor, vscode or codex; by default all that are found'],
      ['--file <file>', 'one configuration file'],
      ['--apply', 'register remote servers and rewrite the files'],
      ['--undo', 'restore the files as they were before'],
      ['--move-secrets', 'store secrets in the headers of remote servers as credentials, which only the gateway sends'],
      ['--credential <name=credential...>', 'credential of a remote server that gets headers now, or "none"'],
      ['--program <program>', 'command that clients start, by default the path of this one, and svc in files of a project'],
    ],
    examples: ['svc mcp import --client cursor', 'svc mcp import --client cursor --agent agt_… --key-file agent.key --apply'],
    load: async () => (await import('../mcp/import/import-command.ts')).importConfigurations,
  },
];
