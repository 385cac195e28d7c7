/** Names under which tools of MCP servers are known here and shown to clients. None is ever parsed: calls look them up. */
import { shortDigest } from './digest.ts';

const SLUG_CHARS_MAX = 18;
const TOOL_NAME_CHARS_MAX = 100;
/** Model APIs allow 64 characters, of which clients use up to 30 for a prefix of their own. */
const EXPOSED_CHARS_MAX = 34;
const DIGEST_CHARS = 6;

/** Returns a short name of a server in lower-case letters, digits and hyphens. */
export const serverSlug = (name: string): string => {
  const plain = name
    .slice(0, 256)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]/u)
    .filter((part) => part !== '')
    .join('-')
    .slice(0, SLUG_CHARS_MAX);
  const slug = plain.endsWith('-') ? plain.slice(0, -1) : plain;
  return slug === '' ? 'server' : slug;
};

const withDigest = (name: string, digest: string, charactersMax: number): string =>
  `${name.slice(0, charactersMax - 1 - digest.length)}_${digest}`;

/**
 * Returns the name of the governed tool, `<slug>.<tool>`: lower-case letters, digits, `_` and `-`. A name that is taken, or that does not fit, gets
 * a digest of the server's own name for the tool.
 */
export const getGovernedToolName = (slug: string, upstreamName: string, taken: ReadonlySet<string>): string => {
  const name = `${slug}.${upstreamName.toLowerCase().replace(/[^a-z0-9_-]/gu, '_')}`;
  if (name.length <= TOOL_NAME_CHARS_MAX && !taken.has(name)) return name;
  for (let attempt = 0; ; attempt += 1) {
    const digest = shortDigest(attempt === 0 ? upstreamName : `${upstreamName}\n${attempt}`, DIGEST_CHARS);
    const candidate = withDigest(name, digest, TOOL_NAME_CHARS_MAX);
    if (!taken.has(candidate)) return candidate;
  }
};

/**
 * Returns the name of a tool in the list of all servers, `<slug>__<tool>`, at most 34 characters of letters, digits, `_` and `-`. A name that does
 * not fit gets a digest behind `--`, in its middle if it is too long; names that contain `--` always get one, so that no tool can be given the
 * shortened name of another.
 */
export const getExposedName = (slug: string, upstreamName: string): string => {
  const tool = upstreamName.replace(/[^A-Za-z0-9_-]/gu, '_');
  const head = `${slug.slice(0, SLUG_CHARS_MAX).replace(/[^A-Za-z0-9_-]/gu, '_')}__`;
  const capacity = EXPOSED_CHARS_MAX - head.length;
  const isPlain = tool === upstreamName && tool !== '' && !tool.includes('--') && slug.length <= SLUG_CHARS_MAX;
  if (isPlain && tool.length <= capacity) return head + tool;
  const digest = `--${shortDigest(`${slug}\n${upstreamName}`, DIGEST_CHARS)}`;
  if (tool.length + digest.length <= capacity) return head + tool + digest;
  const kept = capacity - digest.length - 1;
  const end = Math.floor(kept / 2);
  return `${head}${tool.slice(0, kept - end)}${digest}-${end === 0 ? '' : tool.slice(-end)}`;
};
