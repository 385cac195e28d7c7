import type { ServiceError } from '@svc/client/errors.ts';
import { useLayoutEffect, useSyncExternalStore } from 'react';
import { queries } from './use-operation.ts';

const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

/** Errors that alerts of the page state, with the number of those alerts. */
const stated = new Map<ServiceError, number>();
const listeners = new Set<() => void>();

const notify = (): void => {
  for (const listener of listeners) listener();
};

/** Counts an alert that states an error. Returns a function that ends it. */
const addStated = (error: ServiceError): (() => void) => {
  stated.set(error, (stated.get(error) ?? 0) + 1);
  notify();
  return () => {
    const others = (stated.get(error) ?? 1) - 1;
    if (others === 0) stated.delete(error);
    else stated.set(error, others);
    notify();
  };
};

/** True for failures that a retry may end. Others are answers, such as a missing object, which a page may show as nothing. */
const isTemporary = ({ status }: ServiceError): boolean => status === undefined || status === TOO_MANY_REQUESTS || status >= SERVER_ERROR;

/** Finds a first read of the page that failed, unless an alert states one: the retry of that alert repeats all of them. */
const findUnstated = (): ServiceError | undefined => {
  const failed = queries
    .getQueryCache()
    .findAll({ type: 'active', predicate: ({ state }) => state.status === 'error' && state.data === undefined })
    .map(({ state }) => state.error as ServiceError);
  return failed.some((error) => stated.has(error)) ? undefined : failed.find(isTemporary);
};

const subscribe = (listener: () => void): (() => void) => {
  const unsubscribe = queries.getQueryCache().subscribe(listener);
  listeners.add(listener);
  return () => {
    unsubscribe();
    listeners.delete(listener);
  };
};

/** Marks an error as stated by the alert that calls this, before the page is painted. */
export const useStated = (error: ServiceError | undefined): void =>
  useLayoutEffect(() => (error === undefined ? undefined : addStated(error)), [error]);

/** The failure of a read that no alert of the page states. */
export const useUnstatedFailure = (): ServiceError | undefined => useSyncExternalStore(subscribe, findUnstated);
