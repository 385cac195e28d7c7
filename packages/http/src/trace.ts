import { randomFillSync } from 'node:crypto';

const TRACEPARENT = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;
const NO_TRACE = '0'.repeat(32);

const POOL = Buffer.alloc(16 * 512);
let used = POOL.length;

/** 16 random bytes as hex; drawn from a pool, since asking the kernel for each would cost more than the rest of the header work. */
const newTraceId = (): string => {
  if (used === POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  used += 16;
  return POOL.toString('hex', used - 16, used);
};

/** The caller's W3C trace id when it sent a valid one, so that its trace goes on here; a new one otherwise. */
export const traceIdOf = (traceparent: string | string[] | undefined): string => {
  const given = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined;
  return given && given !== NO_TRACE ? given : newTraceId();
};
