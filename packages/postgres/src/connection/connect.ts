import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { borrowedConnection } from './borrowed-connection.ts';
import { shareOut } from './connection-shares.ts';
import { type EventAuthenticator, setEventAuthenticator } from './event-authenticator.ts';
import { notePool } from './pool-counts.ts';
import { readTime } from './read-time.ts';
import type { Tables } from './tables.ts';

/**
 * The database roles of the service; their names in the database contain the installation. None owns a table, none is a superuser; each has
 * only the privileges of its duty.
 */
export const DATABASE_ROLES = ['svc_app', 'svc_gateway', 'svc_identity', 'svc_reader', 'svc_recorder'] as const;
export type DatabaseRole = (typeof DATABASE_ROLES)[number];

export type Database = Kysely<Tables>;

export type ConnectionSettings = {
  /** Address of the database; user and password in it are ignored. */
  readonly url: string;
  readonly role: DatabaseRole;
  /** The role of this installation. */
  readonly user: string;
  readonly password: string;
  readonly connectionsMax: number;
  /** Timeout of a statement or a connection attempt, so that a frozen database is an error and never a wait. */
  readonly timeoutMs: number;
  /** Authenticates the audit events that are written over this connection; without it none can be written. */
  readonly authenticator?: EventAuthenticator | undefined;
};

const INT8 = 20;
const TIMESTAMPTZ = 1184;

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8) return (text: string) => Number(text);
    if (oid === TIMESTAMPTZ) return readTime;
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

/**
 * Settings of a database or a role on which reads and decisions here depend: the format of times, that a statement after a
 * lock sees what was committed before it, and the schema of tables. The last one has no effect
 * but to show that they arrived.
 */
const PINNED = ['timezone=UTC', 'datestyle=ISO', 'default_transaction_isolation=read\\ committed', 'search_path=public', 'svc.pinned=true'];

/**
 * Returns an address in which any requested encryption verifies the certificate, by an explicit mode: the meaning of the others will
 * weaken.
 */
export const withCheckedCertificate = (url: string): string =>
  url.includes('uselibpqcompat') ? url : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');

export const clientConfig = (settings: ConnectionSettings): pg.ClientConfig => {
  const { host, port, database = 'postgres', ssl } = new pg.Client({ connectionString: withCheckedCertificate(settings.url) });
  return {
    host,
    port,
    database,
    user: settings.user,
    password: settings.password,
    ssl,
    types,
    application_name: settings.role,
    options: PINNED.map((setting) => `-c ${setting}`).join(' '),
    keepAlive: true,
    connectionTimeoutMillis: settings.timeoutMs,
    query_timeout: settings.timeoutMs,
    // The server times out first, so that the connection stays usable, and earlier if only a lock was in the way, so that the error says
    // so.
    lock_timeout: Math.max(200, Math.floor(settings.timeoutMs * 0.7)),
    statement_timeout: Math.max(250, Math.floor(settings.timeoutMs * 0.8)),
    idle_in_transaction_session_timeout: settings.timeoutMs * 2,
  };
};

/** A bounded pool as one role, read and written through Kysely. */
export const connect = (settings: ConnectionSettings): Database => {
  const pool = new pg.Pool({ ...clientConfig(settings), pipeline: true, max: settings.connectionsMax, idleTimeoutMillis: 30_000 });
  // A connection that the server closes, idle or at work, is replaced at the next use; without a listener it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const guarded = { connect: async () => borrowedConnection(await pool.connect()), end: () => pool.end() };
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: guarded as unknown as pg.Pool }) });
  setEventAuthenticator(database, settings.authenticator);
  shareOut(database, settings);
  notePool(database, pool);
  return database;
};
