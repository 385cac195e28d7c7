import { LIMITS } from '@svc/contract/tables/limits.ts';

export type WaitingRequest = {
  readonly organizationId: string;
  readonly agentId: string;
  readonly approvalId: string;
  /** True if the client disconnected. */
  readonly isGone: () => boolean;
};

export type Waiter = WaitingRequest & { readonly until: number; readonly settle: (wakened: boolean) => void; seen: string | undefined };

type Bounds = { readonly [Name in 'waitersMax' | 'waitersPerOrganizationMax' | 'waitersPerAgentMax']: number };

/** Creates the set of waiters, with its limits. */
export const newPlaces = ({ waitersMax, waitersPerOrganizationMax, waitersPerAgentMax }: Bounds = LIMITS.approvals) => {
  const waiters = new Set<Waiter>();
  const [perOrganization, perAgent] = [new Map<string, number>(), new Map<string, number>()];
  const getCount = (counts: ReadonlyMap<string, number>, key: string): number => counts.get(key) ?? 0;
  const add = (counts: Map<string, number>, key: string, by: 1 | -1): void => {
    const count = getCount(counts, key) + by;
    if (count === 0) counts.delete(key);
    else counts.set(key, count);
  };
  return {
    waiters,
    hasRoom: ({ organizationId, agentId }: WaitingRequest): boolean =>
      waiters.size < waitersMax &&
      getCount(perOrganization, organizationId) < waitersPerOrganizationMax &&
      getCount(perAgent, agentId) < waitersPerAgentMax,
    enter: (waiter: Waiter): void => {
      waiters.add(waiter);
      add(perOrganization, waiter.organizationId, 1);
      add(perAgent, waiter.agentId, 1);
    },
    leave: (waiter: Waiter, wakened: boolean): void => {
      if (!waiters.delete(waiter)) return;
      add(perOrganization, waiter.organizationId, -1);
      add(perAgent, waiter.agentId, -1);
      waiter.settle(wakened);
    },
  };
};
