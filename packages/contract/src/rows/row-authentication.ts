import type { Permission } from '../tables/permissions.ts';
import type { Budget, CountedBudget } from './budget.ts';
import type { None } from './none.ts';

/** Row without authentication. */
type OfAnybody = {
  readonly credential: 'none';
  readonly budget: Exclude<Budget, 'caller' | 'emergency' | 'agent' | 'directory'>;
  readonly permissions?: undefined;
  readonly sessionCheckedBy?: undefined;
};

/** Row for a signed-in person, or a person or an API key. */
type OfCaller = {
  readonly credential: 'person' | 'caller';
  readonly budget: Extract<CountedBudget, 'caller' | 'emergency' | 'guess' | 'sign_in'>;
  /** Required permissions, all of them. */
  readonly permissions: readonly [Permission, ...Permission[]] | None;
  readonly sessionCheckedBy?: undefined;
};

/** Row for an agent with a token. The pipeline decides what it may do. */
type OfAgent = {
  readonly credential: 'agent';
  readonly budget: Extract<CountedBudget, 'agent'>;
  readonly permissions?: undefined;
  /**
   * Who checks that the session behind the token is alive: the gateway's entry point (`door`), or the pipeline as its first stage, which
   * records it. `connection`: the caller is the remote agent of an inbound A2A connection, whose token the gateway checks against the
   * connection.
   */
  readonly sessionCheckedBy: 'door' | 'pipeline' | 'connection';
};

/** Row for the directory that provisions an organization, with its token. */
type OfDirectory = {
  readonly credential: 'directory';
  readonly budget: Extract<CountedBudget, 'directory'>;
  readonly permissions?: undefined;
  readonly sessionCheckedBy?: undefined;
};

/** Authentication and permissions that a row requires before its handler runs. */
export type RowAuthentication = OfAnybody | OfCaller | OfAgent | OfDirectory;

export type RowCredential = RowAuthentication['credential'];
