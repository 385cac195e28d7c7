import type { FastifyRequest } from 'fastify';

const LOOPBACK_ADDRESS = /^(127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/;
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;
/** What a proxy adds. One on this machine connects from it too, and would bring everybody here. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/**
 * Whether a request was made on this machine, for this machine: its connection is a loopback one, which no header changes; it names this machine
 * by a name that no name server gives away (DNS rebinding); no proxy passed it on; and no page of another site made it.
 */
export const isFromHere = ({ raw, headers }: Pick<FastifyRequest, 'raw' | 'headers'>): boolean =>
  LOOPBACK_ADDRESS.test(raw.socket.remoteAddress ?? '') &&
  LOOPBACK_HOST.test(headers.host ?? '') &&
  FORWARDED.every((name) => headers[name] === undefined) &&
  ['none', 'same-origin', undefined].includes(headers['sec-fetch-site'] as string | undefined);
