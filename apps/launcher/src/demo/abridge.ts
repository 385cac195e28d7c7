import { SECRET_MEMBERS } from '@svc/contract/tables/secret-members.ts';

const TEXT_MAX = 32;

const shorten = (value: unknown): unknown => {
  if (typeof value === 'string') return value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX)}…` : value;
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string') ? value : ['…'];
  return typeof value === 'object' && value !== null ? { '…': '' } : value;
};

/** Formats a body on one line, without nested and secret members. */
export const abridge = (body: object): string => {
  const short = Object.entries(body).map(([name, value]) => [name, Object.hasOwn(SECRET_MEMBERS, name) ? '…' : shorten(value)]);
  return JSON.stringify(Object.fromEntries(short)).replaceAll('{"…":""}', '{…}').replaceAll('["…"]', '[…]');
};
