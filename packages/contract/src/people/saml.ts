import { Type } from 'typebox';
import { endpoint } from '../rows/endpoint.ts';
import { closed } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';
import { callback, returned } from './sso-sign-in.ts';

const { sso } = LIMITS;

export const samlEndpoints = {
  getSamlMetadata: endpoint({
    plane: 'control',
    area: 'people',
    method: 'GET',
    path: '/v1/auth/sso/saml/{connectionId}/metadata',
    summary: 'What this service says of itself to the provider of a SAML connection, as XML. The address is its entity id.',
    credential: 'none',
    budget: 'newcomer',
    wire: 'page',
    result: Type.String({ description: 'SAML 2.0 metadata of a service provider.' }),
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  receiveSamlResponse: endpoint({
    plane: 'control',
    area: 'people',
    method: 'POST',
    path: '/v1/auth/sso/saml/{connectionId}',
    summary:
      'Where a browser posts what a provider answers (assertion consumer service): once, within ten minutes, to a request of ours. It sends the browser on to the GET of the same address, which asks for the cookie that another site’s form does not bring.',
    credential: 'none',
    budget: 'newcomer',
    wire: 'posted-page',
    body: closed({
      SAMLResponse: Type.Optional(Type.String({ maxLength: sso.samlFormBytesMax })),
      RelayState: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    bodyBytesMax: sso.samlFormBytesMax,
    result: Type.String({ description: 'A redirect.' }),
    emits: ['user.login_failed'],
    refuses: ['GONE', 'INVALID_CREDENTIALS', 'PERMISSION_DENIED', 'DEPENDENCY_UNAVAILABLE'],
  }),
  finishSamlSignIn: endpoint({
    ...callback,
    path: '/v1/auth/sso/saml/{connectionId}',
    summary: 'Signs the browser in that began, by an answer that was verified a moment ago.',
    result: returned,
  }),
};
