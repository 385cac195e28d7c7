export type Asked =
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

/** `npm start --demo` without the two dashes before it: npm takes the word for a setting of its own and passes it on as such. */
const tookDemo = (env: Env): boolean => env.npm_lifecycle_event === 'start' && env.npm_config_demo === 'true';

/** What was typed after `npm start`, with or without `--` before it as far as npm passes it on. */
export const readArguments = (given: readonly string[], env: Env): Asked => {
  const unknown = given.filter((argument) => !Object.hasOwn(WORDS, argument));
  if (unknown.length > 0) return { fault: `${unknown.join(' ')} means nothing here: "npm start help" shows what does.` };
  const words = given.map((argument) => WORDS[argument]);
  if (words.includes('help')) return { what: 'help' };
  if (words.includes('version')) return { what: 'version' };
  return { what: 'start', withDemo: words.includes('demo') || tookDemo(env) };
};

export const HELP = `Starts PostgreSQL, the control plane, the gateway and a worker, and says where they are. Ctrl-C stops them.

  npm start                starts everything; installs what is missing
  npm start -- --demo      the same, with an organization, agents and decisions to look at
  npm start -- --version   prints the version; so does "npm start version"
  npm start -- --help      prints this; so does "npm start help" ("npm start --help" asks npm itself)

Beside it, each with --help after two dashes:

  npm run demo                  plays an agent's day against the service that runs
  npm run backup -- <file>      keeps everything in the database in one file, while the service goes on
  npm run restore -- <file>     fills an empty database with such a file
  npm run admin -- ...          lets somebody in who is locked out: owners, reset-password, remove-second-factors
  npm run break-glass -- ...    the emergency stop, whoever is locked out
  npm run outbox                shows the mails that are sent nowhere else
  npm run deletions             prints the certificates of organizations that were deleted
  npm run config                prints every setting, what it is and what it would be
  npm run -s db:url             prints how the database is reached as its owner, password included

Settings are environment variables, such as CONTROL_PLANE_PORT=4001 GATEWAY_PORT=4101 DATA_DIR=$HOME/governance-data;
docs/operating/running.md lists them all. docs/guides/first-governed-tool.md is where to begin.`;
