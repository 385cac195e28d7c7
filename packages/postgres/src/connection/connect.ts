import { readFileSync } from 'node:fs';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { borrowedConnection } from './borrowed-connection.ts';
import { notePool } from './pool-counts.ts';
import { readTime } from './read-time.ts';
import { shareOut } from './shares-of.ts';
import type { Tables } from './tables.ts';

/** The duties the service logs in for; the database's roles carry the installation in their names besides. None owns a table, none is a superuser; each sees only what its duty needs. */
export const DATABASE_ROLES = ['svc_app', 'svc_gateway', 'svc_identity', 'svc_reader', 'svc_recorder'] as const;
export type DatabaseRole = (typeof DATABASE_ROLES)[number];

export type Database = Kysely<Tables>;

export type ConnectionSettings = {
  /** Where the database is; user and password in it are not used. */
  readonly url: string;
  readonly role: DatabaseRole;
  /** The role of this installation. */
  readonly user: string;
  readonly password: string;
  readonly connectionsMax: number;
  /** A statement or a connection attempt that takes longer fails; so a frozen database is an error and never a wait. */
  readonly timeoutMs: number;
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

/** As the owner's connection reads the same address: whoever asks for encryption gets a certificate checked, unless they say `no-verify`. */
const encryption = (asked: URLSearchParams): Pick<pg.ClientConfig, 'ssl'> => {
  const [mode, authority] = [asked.get('sslmode'), asked.get('sslrootcert')];
  const isAsked = ['true', '1'].includes(asked.get('ssl') ?? '') || asked.get('sslnegotiation') === 'direct';
  if (mode === 'disable' || (mode === null && authority === null && !isAsked)) return {};
  if (mode === 'no-verify') return { ssl: { rejectUnauthorized: false } };
  return { ssl: { rejectUnauthorized: true, ...(authority === null ? {} : { ca: readFileSync(authority, 'utf8') }) } };
};

export const clientConfig = (settings: ConnectionSettings): pg.ClientConfig => {
  const url = new URL(settings.url.replace('@/', '@placeholder/'));
  const socket = url.searchParams.get('host');
  return {
    host: socket ?? decodeURIComponent(url.hostname),
    port: Number(url.searchParams.get('port') ?? (url.port || 5432)),
    database: decodeURIComponent(url.pathname.slice(1)) || 'postgres',
    user: settings.user,
    password: settings.password,
    ...encryption(url.searchParams),
    types,
    application_name: settings.role,
    options: '-c timezone=UTC',
    keepAlive: true,
    connectionTimeoutMillis: settings.timeoutMs,
    query_timeout: settings.timeoutMs,
    // The server gives up first, so that the connection stays usable when only a lock was in the way.
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
  shareOut(database, settings);
  notePool(database, pool);
  return database;
};
