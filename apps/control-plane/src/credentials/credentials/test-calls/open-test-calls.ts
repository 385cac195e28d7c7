import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createEgress, type Egress } from '@svc/egress/create-egress.ts';
import { createWeightedFairQueue, type Turns } from '../../../aside/in-turn.ts';

/** Egress and queue of test calls: one at a time per organization, and a few in total. */
export type TestCalls = {
  readonly egress: Egress;
  /** Maximum duration of one test call. */
  readonly withinMs: number;
  readonly inTurn: Turns;
  readonly close: () => Promise<void>;
};

/** Settings of the plane that decide what can be reached. */
type Reached = {
  readonly egress: { readonly allowCidrs: readonly string[]; readonly nameServers: readonly string[]; readonly timeoutMs: number };
  readonly realEgress: boolean;
  readonly sandboxOrigin: string | undefined;
  readonly credentialsOverHttp: boolean;
};

const { testMs, testAnswerBytesMax, testsUnderWayMax, testWaitMs } = LIMITS.credentials;

/** Opens the egress of test calls. Addresses are checked as for tool calls; connections, slots and the thread are separate. */
export const openTestCalls = ({
  egress: { allowCidrs, nameServers, timeoutMs },
  realEgress,
  sandboxOrigin,
  credentialsOverHttp,
}: Reached): TestCalls => {
  const egress = createEgress({
    ...{ allowRealEgress: realEgress, allowCidrs, nameServers, showsCredentials: credentialsOverHttp },
    ...(sandboxOrigin === undefined ? {} : { sandboxOrigin }),
    ...{ responseMaxBytes: testAnswerBytesMax, readsAtOnce: true },
  });
  return {
    egress,
    withinMs: Math.min(testMs, timeoutMs),
    inTurn: createWeightedFairQueue(testsUnderWayMax, testWaitMs),
    close: egress.close,
  };
};
