import type { FastifyRequest } from 'fastify';

const LOOPBACK_ADDRESS = /^(127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/;
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;
/** Headers of proxies. A proxy on this machine connects from it too, and would make every client look local. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/**
 * True if a request was made on this machine for this machine: its connection is a loopback one, which no header changes; the host is a
 * name that DNS never resolves (DNS rebinding); no proxy forwarded it; and no page of another site made it.
 */
export const isFromHere = ({ raw, headers }: Pick<FastifyRequest, 'raw' | 'headers'>): boolean =>
  LOOPBACK_ADDRESS.test(raw.socket.remoteAddress ?? '') &&
  LOOPBACK_HOST.test(headers.host ?? '') &&
  FORWARDED.every((name) => headers[name] === undefined) &&
  ['none', 'same-origin', undefined].includes(headers['sec-fetch-site'] as string | undefined);
