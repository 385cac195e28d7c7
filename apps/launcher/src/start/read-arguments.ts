export type LauncherArguments =
  | { readonly what: 'start'; readonly withDemo: boolean }
  | { readonly what: 'help' | 'version' }
  | { readonly fault: string };

type Env = Readonly<Record<string, string | undefined>>;

const WORDS: Readonly<Record<string, 'demo' | 'help' | 'version'>> = {
  '--demo': 'demo',
  demo: 'demo',
  '--help': 'help',
  '-h': 'help',
  help: 'help',
  '--version': 'version',
  '-v': 'version',
  version: 'version',
};

/** `npm start --demo` without the two dashes before it: npm treats the word as a setting of its own and passes it on as such. */
const tookDemo = (env: Env): boolean => env.npm_lifecycle_event === 'start' && env.npm_config_demo === 'true';

/** Parses the arguments of `npm start`, with or without `--` before them as far as npm passes them on. */
export const readArguments = (given: readonly string[], env: Env): LauncherArguments => {
  const unknown = given.filter((argument) => !Object.hasOwn(WORDS, argument));
  if (unknown.length > 0) return { fault: `${unknown.join(' ')} is not recognized: see "npm start help".` };
  const words = given.map((argument) => WORDS[argument]);
  if (words.includes('help')) return { what: 'help' };
  if (words.includes('version')) return { what: 'version' };
  return { what: 'start', withDemo: words.includes('demo') || tookDemo(env) };
};

export const HELP = `Starts PostgreSQL, the control plane, the gateway and a worker, and prints their addresses. Ctrl-C stops them.

  npm start                starts everything; installs missing dependencies
  npm start -- --demo      also creates an example organization with agents and decisions
  npm start -- --version   prints the version; so does "npm start version"
  npm start -- --help      prints this; so does "npm start help" ("npm start --help" asks npm itself)

Other commands, each with a description under -- --help:

  npm run demo                     runs an example against the running service
  npm run ops -- backup <file>     writes a backup of the database without stopping the service
  npm run ops -- restore <file>    restores a backup into an empty database
  npm run ops -- admin ...         restores access: owners, reset-password, remove-second-factors
  npm run ops -- break-glass ...   the emergency stop, without a sign-in
  npm run ops -- outbox            shows unsent mails
  npm run ops -- deletions         prints the deletion certificates of organizations
  npm run ops -- config            prints all settings with their effective values
  npm run -s ops -- db:url         prints the database URL of the owner, with its password

Settings are environment variables, such as CONTROL_PLANE_PORT=4001 GATEWAY_PORT=4101 DATA_DIR=$HOME/governance-data;
docs/operating/running.md lists them all. start with docs/guides/first-governed-tool.md.`;
