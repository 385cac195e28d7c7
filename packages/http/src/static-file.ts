import type { FastifyInstance, FastifyReply } from 'fastify';

/** Something that is the same for everybody, read once: all answers share its bytes. */
export type StaticFile = {
  readonly type: string;
  readonly bytes: Buffer;
  /** Content-Security-Policy of a page. */
  readonly policy?: string;
};

export const sendStatic = (reply: FastifyReply, status: number, { type, bytes, policy }: StaticFile): FastifyReply => {
  reply.code(status).type(type);
  return (policy === undefined ? reply : reply.header('content-security-policy', policy)).send(bytes);
};

export const addStatic = (app: FastifyInstance, url: string, file: StaticFile): void => {
  app.get(url, (_request, reply) => sendStatic(reply, 200, file));
};
