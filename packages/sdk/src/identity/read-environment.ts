import type { GovernanceOptions } from '../wire/options.ts';

type FileSystem = {
  readonly readFileSync: (path: string, encoding: 'utf8') => string;
  readonly statSync: (path: string) => { readonly mode: number };
};
type Process = {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly platform?: string;
  readonly getBuiltinModule?: (name: string) => unknown;
};

const surroundings = (): Process => (globalThis as { readonly process?: Process }).process ?? {};

/** Permission bits of others, and writing by the group. */
const OPEN_TO_OTHERS = 0o027;

const readKeyFile = (path: string): string => {
  const { getBuiltinModule, platform } = surroundings();
  // Not imported, so that the package also loads in runtimes without files.
  const files = getBuiltinModule?.('node:fs') as FileSystem | undefined;
  if (files === undefined) throw new TypeError('SVC_AGENT_KEY_FILE requires Node 20.16 or newer. Set SVC_AGENT_KEY instead.');
  let mode: number;
  let key: string;
  try {
    mode = files.statSync(path).mode;
    key = files.readFileSync(path, 'utf8');
  } catch (error) {
    throw new TypeError(`SVC_AGENT_KEY_FILE cannot be read (${(error as { readonly code?: string }).code}).`);
  }
  if (platform !== 'win32' && (mode & OPEN_TO_OTHERS) !== 0)
    throw new TypeError(`Others can read or change the private key. Run: chmod 600 ${path}`);
  return key;
};

/**
 * Reads the options from SVC_GATEWAY_URL, SVC_AGENT_ID, SVC_AGENT_KEY_FILE or SVC_AGENT_KEY, and SVC_AGENT_KEY_GENERATION. Throws TypeError
 * if one is missing, or if others can read the key file.
 */
export const readEnvironment = (env: Readonly<Record<string, string | undefined>> = surroundings().env ?? {}): GovernanceOptions => {
  const { SVC_GATEWAY_URL: gatewayUrl, SVC_AGENT_ID: agentId, SVC_AGENT_KEY_FILE: file, SVC_AGENT_KEY: key } = env;
  if (!gatewayUrl || !agentId) throw new TypeError('Set SVC_GATEWAY_URL and SVC_AGENT_ID.');
  if (Boolean(file) === Boolean(key))
    throw new TypeError('Set either SVC_AGENT_KEY_FILE, the path of the private key, or SVC_AGENT_KEY, the key itself.');
  const generation = env.SVC_AGENT_KEY_GENERATION || '1';
  return { gatewayUrl, agentId, privateKey: file ? readKeyFile(file) : (key ?? ''), keyGeneration: Number(generation) };
};

/** True if this process has the key of an agent. */
export const hasAgentKey = (): boolean => {
  const { SVC_AGENT_KEY_FILE, SVC_AGENT_KEY } = surroundings().env ?? {};
  return Boolean(SVC_AGENT_KEY_FILE || SVC_AGENT_KEY);
};
