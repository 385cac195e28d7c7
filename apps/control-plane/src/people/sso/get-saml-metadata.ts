import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { findUsableConnection } from '@svc/postgres/people/sso/find-connection.ts';
import type { PeopleDeps } from '../deps.ts';
import { buildSamlMetadata } from './saml/open-saml.ts';

const TYPE = 'application/samlmetadata+xml; charset=utf-8';

export const getSamlMetadata: Handler<Endpoints['getSamlMetadata'], PeopleDeps> = async (call, { identity, sso, urls }) => {
  const connection = sso.saml ? await findUsableConnection(identity, { connection_id: call.params.connectionId }) : undefined;
  if (connection?.kind !== 'SAML') return call.refuse('NOT_FOUND');
  return { type: TYPE, bytes: Buffer.from(await buildSamlMetadata(connection, urls.base), 'utf8') };
};
