import { homedir } from 'node:os';
import { join } from 'node:path';

/** Settings from environment variables, read once. */
export type Settings = {
  readonly url: string | undefined;
  readonly gatewayUrl: string | undefined;
  /** An API key or a session token. */
  readonly token: string | undefined;
  readonly email: string | undefined;
  readonly password: string | undefined;
  readonly profile: string | undefined;
  readonly workspace: string | undefined;
  readonly environment: string | undefined;
  readonly configFolder: string;
  readonly json: boolean;
  readonly noInput: boolean;
  readonly noColor: boolean;
  readonly ci: boolean;
  /** The terminal is on another machine, or the machine has no display. */
  readonly remote: boolean;
  readonly browser: string | undefined;
  /** Command line of the pager; none for an empty PAGER, for cat and on a terminal without keys. */
  readonly pager: string | undefined;
  readonly proxies: readonly string[];
};

const isSet = (value: string | undefined): value is string => value !== undefined && value !== '';
const isOn = (value: string | undefined): boolean => isSet(value) && !['0', 'false', 'no'].includes(value.toLowerCase());

const PAGER = 'less -FRX';

const choosePager = ({ PAGER: given = PAGER, TERM }: NodeJS.ProcessEnv): string | undefined =>
  TERM === 'dumb' || ['', 'cat'].includes(given.trim()) ? undefined : given;

/** Variables that hold credentials of the person or of the agent, which are none of a server's business. */
const WITHHELD: readonly string[] = ['SVC_TOKEN', 'SVC_API_KEY', 'SVC_EMAIL', 'SVC_PASSWORD', 'SVC_AGENT_KEY', 'SVC_AGENT_KEY_FILE'];

/** The environment of a program that this one starts, such as an MCP server or a pager: its own, without credentials. */
export const getServerEnvironment = (): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !WITHHELD.includes(name)));

/** Variables by which other programs say where their configuration is. */
export const readFolderVariables = (): Readonly<Record<string, string | undefined>> => {
  const { APPDATA, XDG_CONFIG_HOME, CLAUDE_CONFIG_DIR, COPILOT_HOME } = process.env;
  return { APPDATA, XDG_CONFIG_HOME, CLAUDE_CONFIG_DIR, COPILOT_HOME };
};

export const readSettings = (): Settings => {
  const { env, platform } = process;
  const text = (name: string): string | undefined => (isSet(env[name]) ? env[name] : undefined);
  const hasDisplay = platform !== 'linux' || isSet(env.DISPLAY) || isSet(env.WAYLAND_DISPLAY);
  return {
    url: text('SVC_URL'),
    gatewayUrl: text('SVC_GATEWAY_URL'),
    token: text('SVC_TOKEN') ?? text('SVC_API_KEY'),
    email: text('SVC_EMAIL'),
    password: text('SVC_PASSWORD'),
    profile: text('SVC_PROFILE'),
    workspace: text('SVC_WORKSPACE'),
    environment: text('SVC_ENVIRONMENT'),
    configFolder: text('SVC_CONFIG_DIR') ?? join(text('XDG_CONFIG_HOME') ?? join(homedir(), '.config'), 'svc'),
    json: env.SVC_OUTPUT === 'json',
    noInput: isOn(env.SVC_NO_INPUT),
    // https://no-color.org: any value that is not empty.
    noColor: isSet(env.NO_COLOR) || env.TERM === 'dumb',
    ci: isOn(env.CI),
    remote: isSet(env.SSH_CONNECTION) || isSet(env.SSH_TTY) || isSet(env.SSH_CLIENT) || !hasDisplay,
    browser: text('BROWSER'),
    pager: choosePager(env),
    proxies: ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].filter((name) => isSet(env[name])),
  };
};
