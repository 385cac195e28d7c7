import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Error of RFC 9449 with which the response requests a proof of possession. */
    dpopError: string | null;
  }
}

const UNAUTHORIZED = 401;

/** Gives clients that send proofs the current nonce, and requests a proof if one is missing or wrong (RFC 9449, sections 8 and 9). */
export const addDpopChallenge = (app: FastifyInstance, nonce: () => string): void => {
  app.addHook('onRequest', async ({ headers }, reply) => {
    if (headers.dpop !== undefined) reply.header('dpop-nonce', nonce());
  });
  app.addHook('onSend', async ({ dpopError }, reply, payload) => {
    if (dpopError !== null && reply.statusCode === UNAUTHORIZED)
      reply.headers({ 'dpop-nonce': nonce(), 'www-authenticate': `DPoP error="${dpopError}", algs="EdDSA Ed25519 ES256"` });
    return payload;
  });
};
