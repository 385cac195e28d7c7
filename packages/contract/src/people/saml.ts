import { Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';
import { callback, returned } from './sso-sign-in.ts';

const { sso } = LIMITS;

export const samlEndpoints = {
  getSamlMetadata: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'GET',
    path: '/v1/auth/sso/saml/{connectionId}/metadata',
    summary: 'Get the SAML metadata of this service for a connection, as XML. The address is its entity id.',
    credential: 'none',
    budget: 'newcomer',
    wire: 'page',
    media: ['application/samlmetadata+xml'],
    result: Type.String({ description: 'SAML 2.0 service provider metadata.' }),
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  receiveSamlResponse: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'POST',
    path: '/v1/auth/sso/saml/{connectionId}',
    summary:
      'SAML assertion consumer service. Accepts one response to a request of this service within ten minutes, and redirects the browser to GET of the same URL, which requires a cookie that cross-site forms do not send.',
    credential: 'none',
    budget: 'newcomer',
    wire: 'posted-page',
    media: [],
    redirects: 'To GET of the same URL.',
    body: closedObject({
      SAMLResponse: Type.Optional(Type.String({ maxLength: sso.samlFormBytesMax })),
      RelayState: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    bodyBytesMax: sso.samlFormBytesMax,
    result: Type.String({ description: 'A redirect.' }),
    emits: ['user.login_failed'],
    refuses: ['GONE', 'INVALID_CREDENTIALS', 'PERMISSION_DENIED', 'DEPENDENCY_UNAVAILABLE'],
  }),
  finishSamlSignIn: defineEndpoint({
    ...callback,
    path: '/v1/auth/sso/saml/{connectionId}',
    summary: 'Complete a SAML sign-in after its response was verified.',
    result: returned,
  }),
};
