import type { HandCommand } from '../session/hand-command.ts';
import type { LoginOptions } from '../sign-in/session-commands.ts';

const session = () => import('../sign-in/session-commands.ts');

/** Commands of the session and of this machine. */
export const SESSION_COMMANDS: readonly HandCommand[] = [
  {
    words: ['login'],
    summary: 'Sign in with the browser of this machine, with any browser (device code), or with a password.',
    options: [
      ['--device', 'show a code for a browser on another machine (chosen over SSH and without a display)'],
      ['--browser', 'use the browser of this machine'],
      ['--password', 'ask for e-mail and password in the terminal'],
      ['--email <email>', 'e-mail for --password'],
      ['--password-stdin', 'read the password from standard input'],
      ['--token-stdin', 'store an API key or a token from standard input'],
    ],
    examples: ['svc login --url https://governance.example.com', 'svc login --password-stdin --email ada@example.com < password.txt'],
    load: async () => {
      const { login } = await session();
      return (cli, _, options) => login(cli, options as LoginOptions);
    },
  },
  {
    words: ['logout'],
    summary: 'End the session at the service and remove its token.',
    options: [['--all', 'every profile']],
    examples: ['svc logout', 'svc logout --all'],
    load: async () => {
      const { logout } = await session();
      return (cli, _, { all }) => logout(cli, { all: all === true });
    },
  },
  {
    words: ['whoami'],
    summary: 'Show who you are, where, and until when.',
    examples: ['svc whoami', 'svc whoami --field organization.name'],
    load: async () => (await session()).whoami,
  },
  {
    words: ['step-up'],
    summary: 'Confirm that it is you, so that guarded commands run for some minutes.',
    options: [
      ['--browser', 'confirm in a browser, such as with a passkey; also without a terminal'],
      ['--password-stdin', 'read the password from standard input'],
      ['--code-stdin', 'read a code of the authenticator app from standard input'],
    ],
    examples: ['svc step-up', 'svc step-up --browser', 'svc step-up --code-stdin < code.txt'],
    load: async () => {
      const { stepUp } = await session();
      return (cli, _, options) => stepUp(cli, options);
    },
  },
  {
    words: ['config', 'list'],
    summary: 'List profiles with their addresses and defaults.',
    examples: ['svc config list'],
    load: async () => (await import('../commands/config-commands.ts')).listConfig,
  },
  {
    words: ['config', 'get'],
    summary: 'Print one default of the profile.',
    args: [['<name>', 'url, workspace, environment, organization or email']],
    examples: ['svc config get url'],
    load: async () => (await import('../commands/config-commands.ts')).getConfig,
  },
  {
    words: ['config', 'set'],
    summary: 'Set a default of the profile, or the profile in use.',
    args: [
      ['<name>', 'profile, url, workspace or environment'],
      ['<value>', 'the value; an empty one removes it'],
    ],
    examples: ['svc config set environment Production'],
    load: async () => (await import('../commands/config-commands.ts')).setConfig,
  },
  {
    words: ['config', 'path'],
    summary: 'Print the folder of the configuration.',
    examples: ['svc config path'],
    load: async () => (await import('../commands/config-commands.ts')).printConfigPath,
  },
  {
    words: ['explain'],
    summary: 'Explain an error code: meaning, retry, remedy.',
    args: [['<code>', 'such as AUTHORITY_EXCEEDED']],
    examples: ['svc explain AUTHORITY_EXCEEDED'],
    load: async () => (await import('../commands/explain-code.ts')).explainCode,
  },
  {
    words: ['api'],
    summary: 'Make any request to the control plane with your credential.',
    args: [
      ['<method>', 'GET, POST, PUT, PATCH or DELETE'],
      ['<path>', 'such as /v1/agents'],
    ],
    options: [
      ['-f, --body <file>', 'JSON body from a file, or "-" for standard input'],
      ['--query <name=value...>', 'query parameters'],
      ['--paginate', 'follow pages and print one array of all items'],
    ],
    examples: [
      'svc api GET /v1/agents --query limit=5',
      'echo \'{"reason":"Unexpected refunds."}\' | svc api POST /v1/agents/agt_…/pause --body -',
    ],
    load: async () => (await import('../commands/call-api.ts')).callApi,
  },
  {
    words: ['open'],
    summary: 'Open the console at a page or at a resource by its id.',
    args: [['[target]', 'an id such as act_…, or a page such as approvals']],
    options: [['--print', 'print the address only']],
    examples: ['svc open approvals', 'svc open act_01K… --print'],
    load: async () => (await import('../commands/open-console.ts')).openConsole,
  },
  {
    words: ['completion'],
    summary: 'Print the completion script of a shell.',
    args: [['<shell>', 'bash, zsh, fish or pwsh']],
    examples: ['source <(svc completion bash)'],
    load: async () => (await import('../commands/print-completion.ts')).printCompletion,
  },
  {
    words: ['version'],
    summary: 'Print the version; with --check also that of the service.',
    options: [['--check', 'compare with the service']],
    examples: ['svc version --check'],
    load: async () => (await import('../commands/show-version.ts')).showVersion,
  },
];
