import pg from 'pg';
import { isStalePlan } from './leaves-connection-usable.ts';

/** SQLSTATE classes by which the server says that it cannot serve now: connection, log-in, no such database, resources, operator, locks, rollback. */
const UNAVAILABLE_CLASSES = ['08', '28', '3D', '53', '55', '57', '58', 'XX', '40', '25'];

/**
 * SQLSTATEs by which it says that something is not there, or is not for this role, without which the service does not work: a grant, a
 * table, a column, a function, a type, a schema. Our own statements are right for the database that the migrations made, so it is the
 * database that is not as it was, and it may be again.
 */
const MISSING = new Set(['42501', '42P01', '42703', '42883', '42704', '3F000']);

/** Those of EAGAIN to ENOBUFS say that one side has no room for another connection; EAGAIN is how a socket file says that nobody accepts. */
const SYSTEM_CODES = [
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EACCES'],
  ...['EAGAIN', 'EAI_AGAIN', 'EMFILE', 'ENFILE', 'ENOBUFS'],
];

/** How a certificate that does not prove the server, or a handshake that comes to nothing, is named: after a move, or when it ran out. */
const TLS_CODES = /^(?:ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA$|HOSTNAME_MISMATCH$)/;

/** Whether a code of an error is of TLS. */
export const isTlsFault = (code: string): boolean => TLS_CODES.test(code);

const TEXTS = [
  ...['timeout', 'Connection terminated', 'not queryable', 'Client was closed', 'pool after calling end'],
  ...['does not support SSL connections', 'error establishing an SSL connection'],
];

/** Whether an error means that the database did not answer, as against a fault of ours in what we asked. */
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

/** Whether the server knows no such role, or another password of it: with another master key both are other ones. */
export const isRefusedLogin = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && ['28P01', '28000'].includes(error.code ?? '');

/** True if a pooler such as PgBouncer answered, which does not pass on the settings of a connection. */
export const isPooler = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.message.includes('unsupported startup parameter');

/** True if the database answered and refuses every start until someone changes something: the login, its name or its schema. */
const isRefusing = (error: unknown): boolean =>
  isPooler(error) || isRefusedLogin(error) || isMissingDatabase(error) || isMissingObject(error);

/** True if the database did not answer, or said that it cannot serve now. */
export const isOutage = (error: unknown): boolean => isUnavailable(error) && !isRefusing(error);
