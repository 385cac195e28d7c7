import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { isObject } from '../../../files/json-file.ts';

type NewCredential = EndpointBody<Endpoints['createCredential']>;

/** A secret of a configuration, as the terms of a credential that sends the same header. It is never printed. */
export type MovedSecret = Required<Pick<NewCredential, 'scheme' | 'secret'>> & Pick<NewCredential, 'placement'>;

/** Headers that state no secret. */
const PLAIN_HEADERS: readonly string[] = ['accept', 'content-type', 'user-agent', 'x-client-name', 'x-client-version'];
/** Values that clients replace when they start a server hold no secret. */
const VARIABLE = /\$\{|\{\{|^\$[A-Z_]/u;

const readHeader = (name: string, value: unknown): MovedSecret | { readonly reason: string } => {
  if (typeof value !== 'string' || value === '') return { reason: `its header ${name} is no text` };
  if (VARIABLE.test(value)) return { reason: `its header ${name} holds a variable, whose value is not in the file` };
  const [, bearer] = /^Bearer\s+(\S+)$/iu.exec(value) ?? [];
  if (name.toLowerCase() === 'authorization' && bearer !== undefined) return { scheme: 'BEARER', secret: bearer };
  const [, prefix, key] = /^([!-~]{1,40}) (\S+)$/u.exec(value) ?? [];
  if (prefix !== undefined && key !== undefined) return { scheme: 'HEADER', placement: { header: name, prefix }, secret: key };
  return { scheme: 'HEADER', placement: { header: name }, secret: value };
};

/** Returns the one secret in the headers of a remote server, or why it cannot become a credential. */
export const readMovedSecret = (headers: readonly unknown[]): MovedSecret | { readonly reason: string } => {
  if (!headers.every(isObject)) return { reason: 'its headers are written in a form that this version does not know' };
  const secret = headers
    .flatMap((each: JsonObject) => Object.entries(each))
    .filter(([name]) => !PLAIN_HEADERS.includes(name.toLowerCase()));
  const [first, ...others] = secret;
  if (first === undefined) return { reason: 'its headers hold no secret' };
  if (others.length > 0) return { reason: 'it sends several headers that may be secrets. Store them as one credential with extras' };
  return readHeader(...first);
};

export const isMovedSecret = (read: MovedSecret | { readonly reason: string }): read is MovedSecret => 'scheme' in read;
