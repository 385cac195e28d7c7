const TRACEPARENT = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;
const NO_TRACE = '0'.repeat(32);

const part = (): string =>
  Math.floor(Math.random() * 0x1_0000_0000)
    .toString(16)
    .padStart(8, '0');

/** 16 random bytes as hex. They only have to differ, not to be secret, so the engine's own generator is enough. */
const newTraceId = (): string => {
  const id = part() + part() + part() + part();
  return id === NO_TRACE ? newTraceId() : id;
};

/** The caller's W3C trace id when it sent a valid one, so that its trace goes on here; a new one otherwise. */
export const traceIdOf = (traceparent: string | string[] | undefined): string => {
  const given = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined;
  return given && given !== NO_TRACE ? given : newTraceId();
};
