const TEXT_MAX = 32;
const SECRET = new Set(['password']);

const shorten = (value: unknown): unknown => {
  if (typeof value === 'string') return value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX)}…` : value;
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string') ? value : ['…'];
  return typeof value === 'object' && value !== null ? { '…': '' } : value;
};

/** A body on one line: what is nested is left out, and what is secret too. */
export const abridge = (body: object): string => {
  const short = Object.entries(body).map(([name, value]) => [name, SECRET.has(name) ? '…' : shorten(value)]);
  return JSON.stringify(Object.fromEntries(short)).replaceAll('{"…":""}', '{…}').replaceAll('["…"]', '[…]');
};
