import type { PlaneClock } from '@svc/http/clock/open-database-clock.ts';
import type { LivePlatformKeys } from '@svc/operations/agents/identity/keep-platform-keys.ts';
import type { OpenedPlatformKeys } from '@svc/operations/agents/identity/load-platform-keys.ts';
import type { Database, DatabaseRole } from '@svc/postgres/connection/connect.ts';
import type { Metric } from '@svc/program/metrics/metric.ts';
import type { Logger } from 'pino';
import type { WorkerSettings } from './settings.ts';

/** Dependencies of both parts of the worker. */
export type WorkerCore = {
  readonly settings: WorkerSettings;
  readonly log: Logger;
  readonly clock: PlaneClock;
  readonly installationId: string;
  readonly platformKeys: LivePlatformKeys & { readonly keys: OpenedPlatformKeys['keys'] };
  readonly connectAs: (role: DatabaseRole, connectionsMax: number, timeoutMs?: number) => Database;
};

/** A running part of the worker. */
export type WorkerPart = {
  readonly metrics: readonly Metric[];
  readonly pools: Readonly<Record<string, Database>>;
  /** Checks of `/health/ready` that do not affect readiness; an undefined one is left out. */
  readonly checks: Readonly<Record<string, () => unknown>>;
  /** Starts nothing more, and resolves when running work has ended. */
  readonly stop: () => Promise<void>;
};
