import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createEgress, type Egress } from '@svc/egress/create-egress.ts';
import { newChargedTurns, type Turns } from '../../../aside/in-turn.ts';

/** The way out of test calls, and whose turn it is: one at a time of an organization, and a few in all. */
export type TestCalls = {
  readonly egress: Egress;
  /** What one of them may take altogether. */
  readonly withinMs: number;
  readonly inTurn: Turns;
  readonly close: () => Promise<void>;
};

/** Of the settings of the plane. */
type Reached = {
  readonly egress: { readonly allowCidrs: readonly string[]; readonly nameServers: readonly string[]; readonly timeoutMs: number };
  readonly realEgress: boolean;
  readonly sandboxOrigin: string | undefined;
  readonly credentialsOverHttp: boolean;
};

const { testMs, testAnswerBytesMax, testsUnderWayMax, testWaitMs } = LIMITS.credentials;

/** What is called by a test is reached as what is called by a tool, over connections, places and a thread of its own. */
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
  return { egress, withinMs: Math.min(testMs, timeoutMs), inTurn: newChargedTurns(testsUnderWayMax, testWaitMs), close: egress.close };
};
