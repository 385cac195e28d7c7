import { OAUTH_PATHS } from '@svc/contract/agents/oauth.ts';
import type { FastifyReply } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the public address of the plane; undefined if its endpoints are not OAuth resources. */
    resourceOrigin: () => string | undefined;
  }
}

/** Returns the challenge of a protected resource, with the address of its metadata (RFC 9728, section 5.1). */
export const newChallenge = ({ request, server }: FastifyReply): string => {
  const origin = server.resourceOrigin();
  if (origin === undefined) return 'Bearer';
  const [path = ''] = request.url.split('?');
  const invalid = request.headers.authorization === undefined ? '' : 'error="invalid_token", ';
  // The path is that of a row with ids, so it contains no quotation mark.
  return `Bearer ${invalid}resource_metadata="${origin}${OAUTH_PATHS.protectedResource}${encodeURI(path)}"`;
};
