/** Names whose values never reach a log, wherever they stand. */
const SECRET_NAMES = new Set([
  'password',
  'token',
  'private_key',
  'assertion',
  'authorization',
  'secret',
  'api_key',
  'cookie',
  'password_hash',
  'token_hash',
]);

/** Our own secrets by their prefix, compact JWS, and bearer credentials, also inside a longer text. */
const SECRET_TEXTS = /svc_(?:ses|key|set)_\w+|whsec_\w+|eyJ[\w-]+\.[\w-]+\.[\w-]+|bearer\s+\S+/gi;

const MASK = '[secret]';
const DEPTH_MAX = 6;

const maskText = (text: string): string => (text.length < 12 ? text : text.replace(SECRET_TEXTS, MASK));

const maskValue = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return maskText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEPTH_MAX) return '[deep]';
  if (Array.isArray(value)) return value.map((item) => maskValue(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, SECRET_NAMES.has(name.toLowerCase()) ? MASK : maskValue(item, depth + 1)]),
  );
};

/** The same line without anything that could be a secret: by the member's name, and by what the text looks like. */
export const maskSecrets = (line: Record<string, unknown>): Record<string, unknown> => maskValue(line, 0) as Record<string, unknown>;
