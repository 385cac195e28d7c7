import type { Permission } from '../tables/permissions.ts';
import type { Budget, CountedBudget } from './budget.ts';
import type { None } from './none.ts';

/** Nobody in particular. */
type OfAnybody = {
  readonly credential: 'none';
  readonly budget: Exclude<Budget, 'caller' | 'emergency' | 'agent' | 'directory'>;
  readonly permissions?: undefined;
  readonly sessionCheckedBy?: undefined;
};

/** A signed-in person, or a person or an API key. */
type OfCaller = {
  readonly credential: 'person' | 'caller';
  readonly budget: Extract<CountedBudget, 'caller' | 'emergency' | 'guess' | 'sign_in'>;
  /** All of them have to be held. */
  readonly permissions: readonly [Permission, ...Permission[]] | None;
  readonly sessionCheckedBy?: undefined;
};

/** An agent with a token. What it may do is decided by the pipeline. */
type OfAgent = {
  readonly credential: 'agent';
  readonly budget: Extract<CountedBudget, 'agent'>;
  readonly permissions?: undefined;
  /**
   * Who asks whether the session behind the token still lives: the gateway's door, or the pipeline as its first stage, which puts it on record.
   * `connection`: the caller is the remote agent of an inbound A2A connection, whose token the gateway checks against the connection.
   */
  readonly sessionCheckedBy: 'door' | 'pipeline' | 'connection';
};

/** The directory that provisions an organization, with the token it was given. */
type OfDirectory = {
  readonly credential: 'directory';
  readonly budget: Extract<CountedBudget, 'directory'>;
  readonly permissions?: undefined;
  readonly sessionCheckedBy?: undefined;
};

/** Who may call a row, and what is asked of them before its handler is. */
export type Asked = OfAnybody | OfCaller | OfAgent | OfDirectory;

export type Credential = Asked['credential'];
