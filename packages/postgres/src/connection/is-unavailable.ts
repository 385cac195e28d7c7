import pg from 'pg';
import { isStalePlan } from './leaves-connection-usable.ts';

/** SQLSTATE classes that mean the server cannot serve now: connection, log-in, missing database, resources, operator, locks, rollback. */
const UNAVAILABLE_CLASSES = ['08', '28', '3D', '53', '55', '57', '58', 'XX', '40', '25'];

/**
 * SQLSTATEs for a missing object or privilege without which the service does not work: a grant, a table, a column, a
 * function, a type, a schema. Our own statements are right for the migrated database, so the database itself
 * was changed, and may be repaired.
 */
const MISSING = new Set(['42501', '42P01', '42703', '42883', '42704', '3F000']);

/** EAGAIN to ENOBUFS mean that one side has no capacity for another connection; EAGAIN means that no one accepts on a socket file. */
const SYSTEM_CODES = [
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EACCES'],
  ...['EAGAIN', 'EAI_AGAIN', 'EMFILE', 'ENFILE', 'ENOBUFS'],
];

/** Error codes of an untrusted certificate or a failed handshake: after a move, or an expiry. */
const TLS_CODES = /^(?:ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA$|HOSTNAME_MISMATCH$)/;

/** Returns true if an error code is about TLS. */
export const isTlsFault = (code: string): boolean => TLS_CODES.test(code);

const TEXTS = [
  ...['timeout', 'Connection terminated', 'not queryable', 'Client was closed', 'pool after calling end'],
  ...['does not support SSL connections', 'error establishing an SSL connection'],
];

/** Returns true if an error means that the database did not respond, and not that our query was wrong. */
export const isUnavailable = (error: unknown): boolean => {
  if (error instanceof pg.DatabaseError)
    return UNAVAILABLE_CLASSES.includes((error.code ?? '').slice(0, 2)) || MISSING.has(error.code ?? '') || isStalePlan(error);
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true;
  const code = (error as { code?: unknown }).code;
  return (
    (typeof code === 'string' && (SYSTEM_CODES.includes(code) || isTlsFault(code))) || TEXTS.some((text) => error.message.includes(text))
  );
};

/** True if the server does not have the database that the connection names. */
export const isMissingDatabase = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '3D000';

/** True if a table, column, function or grant is missing: the database does not have the schema of this version. */
export const isMissingObject = (error: unknown): boolean => error instanceof pg.DatabaseError && MISSING.has(error.code ?? '');

/** Returns true if the server does not know the role, or has another password for it: both differ under another master key. */
export const isRefusedLogin = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && ['28P01', '28000'].includes(error.code ?? '');

/** True if a pooler such as PgBouncer answered, which does not pass on the settings of a connection. */
export const isPooler = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.message.includes('unsupported startup parameter');

/** True if the database answered and refuses every start until someone changes something: the login, its name or its schema. */
const isRefusing = (error: unknown): boolean =>
  isPooler(error) || isRefusedLogin(error) || isMissingDatabase(error) || isMissingObject(error);

/** Returns true if the database did not respond, or cannot serve now. */
export const isOutage = (error: unknown): boolean => isUnavailable(error) && !isRefusing(error);
