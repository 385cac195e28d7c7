import type { FastifyInstance, FastifyReply } from 'fastify';

/** Something that is the same for everybody, read once: all answers share its bytes. */
export type StaticFile = {
  readonly type: string;
  readonly bytes: Buffer;
  /** Content-Security-Policy of a page. */
  readonly policy?: string;
  /** How long anybody may keep it; without it nobody may. */
  readonly cacheSeconds?: number;
};

export const sendStatic = (reply: FastifyReply, status: number, { type, bytes, policy, cacheSeconds }: StaticFile): FastifyReply => {
  reply.code(status).type(type);
  if (policy !== undefined) reply.header('content-security-policy', policy);
  if (cacheSeconds !== undefined) reply.header('cache-control', `public, max-age=${cacheSeconds}`);
  return reply.send(bytes);
};

/** Made when it is first asked for, and kept from then on: a plane whose documents nobody reads holds none of them. */
export const addStaticOnDemand = (app: FastifyInstance, url: string, make: () => StaticFile): void => {
  let file: StaticFile | undefined;
  app.get(url, (_request, reply) => {
    file ??= make();
    return sendStatic(reply, 200, file);
  });
};

export const addStatic = (app: FastifyInstance, url: string, file: StaticFile): void => {
  app.get(url, (_request, reply) => sendStatic(reply, 200, file));
};
