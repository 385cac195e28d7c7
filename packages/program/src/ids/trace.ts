import { randomHex } from '@svc/keyring/bytes/random-hex.ts';

const TRACEPARENT = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;
const NO_TRACE = '0'.repeat(32);

/** A trace id of zeros is invalid. */
const newTraceId = (): string => {
  const id = randomHex(16);
  return id === NO_TRACE ? newTraceId() : id;
};

/** Returns the caller's W3C trace id if it is valid, so that its trace continues here; else a new one. */
export const readTraceId = (traceparent: string | string[] | undefined): string => {
  const given = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined;
  return given && given !== NO_TRACE ? given : newTraceId();
};
