import path from 'node:path';
import { type RunningProcess, startProcess } from '../processes/start-process.ts';
import { getPlaneEnvironment, type Planes } from './start-planes.ts';

export type WrongClockOptions = {
  readonly plane: 'gateway' | 'control-plane';
  /** Negative for a clock that is behind. */
  readonly aheadSeconds: number;
  /** The clock is right until the process gets SIGUSR2. */
  readonly later?: boolean;
  readonly env?: Readonly<Record<string, string>>;
};

/** Starts another plane, a real process with a wrong clock. */
export const startWithWrongClock = (
  planes: Planes,
  { plane, aheadSeconds, later = false, env = {} }: WrongClockOptions,
): Promise<RunningProcess> =>
  startProcess(`apps/${plane}/src/main.ts`, {
    ...getPlaneEnvironment(planes.database, { SVC_GATEWAY_URL: planes.gatewayUrl, ...env }),
    NODE_OPTIONS: `--import=${path.join(import.meta.dirname, 'wrong-clock.ts')}`,
    TEST_CLOCK_AHEAD_MS: String(aheadSeconds * 1000),
    ...(later ? { TEST_CLOCK_WRONG_FROM: 'SIGUSR2' } : {}),
  });
